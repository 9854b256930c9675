"""The sentence of a crash begins with its cause, as the bot printed it."""

from __future__ import annotations

import pytest

from arena.referee.players.disconnect import cause_in, crash_sentence

PYTHON = """thinking
Traceback (most recent call last):
  File "bot.py", line 5, in choose
    raise ValueError("no idea")
ValueError: no idea
"""
JAVASCRIPT = """/bot/bot.js:7
    throw new TypeError("no idea");
    ^

TypeError: no idea
    at choose (/bot/bot.js:7:11)
    at main (/bot/bot.js:20:3)

Node.js v20.11.0
"""
NODE_MODULE = """Error: Cannot find module 'left-pad'
Require stack:
- /bot/bot.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/bot/bot.js' ]
}

Node.js v20.20.2
"""
GO = """panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.main()
\t/bot/bot.go:7 +0x1d
"""
CPP = """terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check
"""
RUST = """thread 'main' panicked at src/main.rs:2:5:
no idea
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""


@pytest.mark.parametrize(
    ("printed", "cause"),
    [
        (PYTHON, "ValueError: no idea"),
        (JAVASCRIPT, "TypeError: no idea"),
        (NODE_MODULE, "Error: Cannot find module 'left-pad'"),
        (GO, "panic: runtime error: index out of range [5] with length 3"),
        (CPP, "what():  vector::_M_range_check"),
        (RUST, "no idea"),
        ("no model\n\n", "no model"),
        ("", ""),
        ("\n ---- \n", ""),
    ],
    ids=["Python", "JavaScript", "Node", "Go", "C++", "Rust", "exit", "nothing", "no words"],
)
def test_the_cause_is_the_message_of_the_error(printed: str, cause: str) -> None:
    assert cause_in(printed.encode()) == cause


def test_the_cause_comes_before_the_exit_code() -> None:
    sentence = crash_sentence("ended with exit code 1", "instead of answering", PYTHON.encode())
    assert sentence == "ValueError: no idea (it ended with exit code 1 instead of answering)"


@pytest.mark.parametrize("how", ["ended with exit code 0", "was ended by SIGSEGV"])
def test_the_last_line_explains_no_exit_that_is_silent(how: str) -> None:
    assert crash_sentence(how, "instead of answering", b"thinking\n") == (
        f"it {how} instead of answering"
    )


def test_a_cause_is_short_and_safe_for_a_terminal() -> None:
    cause = cause_in(b"\x1b[2J\xff" + b"x" * 70_000)
    assert cause.isprintable()
    assert len(cause) == 120
