"""What is sensible play in this game? Not yet said."""

from __future__ import annotations

from guides.plain import Plain


class Guide(Plain):
    """Knows no more than the plain one."""
