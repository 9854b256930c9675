"""Attacks that connect to anything but the referee."""

from __future__ import annotations

import socket

from .common import facts

_PATIENCE_S = 2.0


def _connect(family: socket.AddressFamily, address: str | tuple[str, int]) -> str:
    with socket.socket(family, socket.SOCK_STREAM) as here:
        here.settimeout(_PATIENCE_S)
        here.connect(address)
    return f"connected to {address!r}"


def tcp() -> str:
    """Connect to a program on this machine."""
    return _connect(socket.AF_INET, ("127.0.0.1", facts().tcp_port))


def udp() -> str:
    """Send a datagram to a program on this machine; the host sees whether it arrived."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here:
        here.sendto(b"x", ("127.0.0.1", facts().udp_port))
    return "sent a datagram"


def abstract_socket() -> str:
    """Connect to an abstract unix socket."""
    return _connect(socket.AF_UNIX, "\0" + facts().abstract_socket)


def unix_socket() -> str:
    """Connect to the unix socket of a program on this machine."""
    return _connect(socket.AF_UNIX, facts().unix_socket)


def other_socket() -> str:
    """Connect to the socket of another bot."""
    return _connect(socket.AF_UNIX, facts().other_socket)
