"""What may a browser do in a page?

A policy names each style and each script that is allowed by its hash, and forbids all others.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256


def hash_of(text: str) -> str:
    """Name a style or a script in a policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy_of(style: str, *more: str) -> str:
    """Return the policy of a page with this style, which allows nothing but what `more` says."""
    allowed = ("default-src 'none'", f"style-src {hash_of(style)}", *more)
    return "; ".join([*allowed, "base-uri 'none'", "form-action 'none'"])
