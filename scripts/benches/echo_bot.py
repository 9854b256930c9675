"""The client of a bare gRPC stream: it returns every message."""

from __future__ import annotations

import os

from arena.sdk.call import Call


def main() -> None:
    """Echo until the server ends the call."""
    call = Call(os.environ["ARENA_SOCKET"], "/arena.wire.v1.Arena/Play")
    call.write(b"hello")
    while (message := call.read()) is not None:
        call.write(message)


if __name__ == "__main__":
    main()
