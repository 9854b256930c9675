"""The bot's end of the transport alone: it answers each message with as many bytes as it asks for.

The first four bytes of a message are the size of the answer; 0 means no answer.
"""

from __future__ import annotations

import os

from arena.sdk.call import Call
from arena.wire.envelope import METHOD, SERVICE, SOCKET


def main() -> None:
    """Answer until the referee ends the call."""
    call = Call(os.environ[SOCKET], f"/{SERVICE}/{METHOD}")
    call.write(b"hello")
    while (message := call.read()) is not None:
        size = int.from_bytes(message[:4])
        if size:
            call.write(message[:size])


if __name__ == "__main__":
    main()
