"""The content security policy of a page.

It lists the hash of every allowed style and script, and forbids all others.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256


def hash_of(text: str) -> str:
    """Return the source expression that allows a style or a script, given its text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy_of(style: str, *more: str) -> str:
    """Return the policy of a page with this style; `more` lists what else it allows."""
    allowed = ("default-src 'none'", f"style-src {hash_of(style)}", *more)
    return "; ".join([*allowed, "base-uri 'none'", "form-action 'none'"])
