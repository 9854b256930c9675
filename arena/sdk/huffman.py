"""Decode Huffman-coded headers (RFC 7541, 5.2), which our referee does not send, but others do."""

from __future__ import annotations

_SYMBOLS = {
    5: "012aceiost",
    6: " %-./3456789=A_bdfghlmnpru",
    7: ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz",
    8: "&*,;XZ",
    10: '!"()?',
    11: "'+|",
    12: "#>",
    13: "\0$@[]~",
    14: "^}",
    15: "<`{",
    19: "\\",
}
"""The characters with codes of each length, in the order of their codes. Other characters are not
allowed in `grpc-status` or `grpc-message`."""


def huffman_decoded(data: bytes) -> bytes:
    """Decode a string, up to the first character that is not in the table."""
    codes, text, code = _codes(), "", ""
    for bit in "".join(f"{byte:08b}" for byte in data):
        code += bit
        if code in codes:
            text, code = text + codes[code], ""
    return text.encode()


def _codes() -> dict[str, str]:
    found = {}
    code = length = 0
    for size, symbols in _SYMBOLS.items():
        code, length = code << size - length, size
        for symbol in symbols:
            found[f"{code:0{size}b}"] = symbol
            code += 1
    return found
