"""What do all tests share?"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

# What gRPC says on its own account about bots that hang up would bury what a failing test says.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

# How long something takes says more of the machine than of what is tested.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# A shell has what it starts in the background ignore Ctrl-C, which some tests press.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
