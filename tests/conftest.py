"""What do all tests share?"""

from __future__ import annotations

import os

# What gRPC says on its own account about bots that hang up would bury what a failing test says.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
