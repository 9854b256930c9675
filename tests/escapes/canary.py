"""A process to be attacked, which counts its signals and reports its limits.

`canary.py SECRET` holds a secret in its memory. For every line that it reads, it prints the signals
it has received and its limits.
"""

from __future__ import annotations

import ctypes
import resource
import signal
import sys

seen: list[int] = []
signal.signal(signal.SIGWINCH, lambda number, _: seen.append(number))
memory = ctypes.create_string_buffer(sys.argv[1].encode())
print(ctypes.addressof(memory), flush=True)
for _line in sys.stdin:
    print(
        seen,
        resource.getrlimit(resource.RLIMIT_NOFILE),
        flush=True,
    )
