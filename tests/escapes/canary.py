"""A process to be attacked, which counts its signals and reports its limits.

`canary.py SECRET FILE` holds a secret in its memory and in an open file. For every line that it
reads, it prints the signals it has received and its limits and scheduling.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

seen: list[int] = []
signal.signal(signal.SIGWINCH, lambda number, _: seen.append(number))
memory = ctypes.create_string_buffer(sys.argv[1].encode())
descriptor = os.open(sys.argv[2], os.O_RDONLY)
print(ctypes.addressof(memory), descriptor, flush=True)
for _line in sys.stdin:
    print(
        seen,
        resource.getrlimit(resource.RLIMIT_NOFILE),
        sorted(os.sched_getaffinity(0)),
        os.getpriority(os.PRIO_PROCESS, 0),
        flush=True,
    )
