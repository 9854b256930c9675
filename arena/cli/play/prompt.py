"""Play on a terminal: the log scrolls by, and the board stays in place below it.

prompt_toolkit edits the line, keeps the history, completes words and redraws the board. Its
application runs in its own thread, because the referee's loop has the main one.
"""

from __future__ import annotations

import os
import queue
import re
import signal
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TextIO

import click
from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.layout import Float, FloatContainer, HSplit, Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.output import create_output
from prompt_toolkit.widgets import TextArea

from arena.cli.play.console import Complete, Console, Text
from arena.cli.terminal.styling import join_fitting, visible_lines, wrap_lines

_KEYS = ("? help", "Tab completes", "Ctrl-C leaves", "PgUp PgDn scroll")
_WAITING = "the others play …"
_LOG_ROWS = 3
"""Rows above the board that are left to the log."""
_PAGE = 5
_HAND, _SEAT = re.compile(r"\s+(?:(?:your )?hand|roll)\s"), re.compile(r"\s+\S+ you\s")


class TerminalConsole(Console):
    """A person at a terminal."""

    def __init__(self, stream: TextIO) -> None:
        """Draw on a stream; nothing is drawn before the first call."""
        self._stream = stream
        self._board: Text = _nothing
        self._choices: Text = _nothing
        self._note: Text | None = None
        self._next_note: Text | None = None
        """The note that the next question shows."""
        self._complete: Complete = lambda text: ()
        self._prompt = ""
        self._top = 0
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._unsaid: list[str] = []
        """Texts to print above the board."""
        self._is_started = threading.Event()
        self._line = TextArea(
            multiline=False,
            prompt=lambda: self._prompt or f"({_WAITING})",
            completer=_MoveCompleter(lambda text: self._complete(text)),
            # Otherwise the arrow keys would be those of the menu.
            complete_while_typing=False,
            history=InMemoryHistory(),
            accept_handler=lambda buffer: self._answer(buffer.text),
            read_only=Condition(lambda: not self._prompt),
        )
        self._app: Application[None] = Application(
            layout=Layout(self._container(), focused_element=self._line),
            key_bindings=self._bindings(),
            output=create_output(stdout=stream),
            erase_when_done=True,
        )
        self._thread = threading.Thread(target=self._run, daemon=True)

    def say(self, text: str) -> None:
        """Print a text above the board, soon: the match does not wait for it."""
        self._start()
        self._call(lambda: self._print_soon(text))

    def show(self, board: Text, choices: Text, complete: Complete) -> None:
        """Draw the table and the choices in place of the last."""
        self._board, self._choices, self._complete = board, choices, complete
        self._note, self._top = None, 0
        self._start()
        self._app.invalidate()

    def watch(self, board: Text) -> None:
        """Draw the table, without choices."""
        self.show(board, _nothing, lambda text: ())

    def note(self, text: Text) -> None:
        """Show an answer below the board, or in its place if there is no room for both.

        It is shown with the next question: whoever sees it can type, and no key is lost.
        """
        self._next_note = text

    def ask(self, prompt: str) -> str | None:
        """Let the person edit a line."""
        # In this order: the line cannot be edited without a prompt.
        self._prompt = prompt
        if self._next_note:
            self._note, self._next_note, self._top = self._next_note, None, 0
        self._start()
        self._app.invalidate()
        return self._answers.get()

    def hand_over(self, name: str) -> None:
        """Hide the board until Enter is pressed."""
        text = f"It is {name}'s turn. Press Enter when only {name} can see the screen."
        self.show(lambda width: text, _nothing, lambda typed: ())
        self.ask("> ")

    def close(self) -> None:
        """Remove the board, and restore the terminal."""
        if self._is_started.is_set():
            self._call(lambda: self._app.exit() if self._app.is_running else None)
            self._thread.join()
            self._print_unsaid()

    def _start(self) -> None:
        if not self._is_started.is_set():
            self._thread.start()
            self._is_started.wait()

    def _run(self) -> None:
        self._app.run(pre_run=self._is_started.set, handle_sigint=False)

    def _print_soon(self, text: str) -> None:
        """Print a text together with others that come before the terminal is ready."""
        self._unsaid.append(text)
        if len(self._unsaid) == 1:
            self._app.create_background_task(self._print_above())

    async def _print_above(self) -> None:
        await run_in_terminal(self._print_unsaid)

    def _print_unsaid(self) -> None:
        columns = self._app.output.get_size().columns
        for text in self._unsaid:
            click.echo("\n".join(wrap_lines(text.split("\n"), columns)), file=self._stream)
        self._unsaid.clear()

    def _call(self, function: Callable[[], Any]) -> None:
        """Call a function in the application's thread."""
        assert self._app.loop
        self._app.loop.call_soon_threadsafe(function, context=self._app.context)

    def _answer(self, text: str) -> bool:
        """Pass a line on; the line is empty afterwards."""
        if self._prompt:
            self._prompt, self._note = "", None
            self._answers.put(text)
        return False

    def _container(self) -> FloatContainer:
        board = FormattedTextControl(lambda: ANSI("\n".join(self._body())))
        rule = Window(height=1, char="─", style="dim")
        keys = Window(FormattedTextControl(self._keys), height=1, style="dim")
        menu = CompletionsMenu(max_height=8, scroll_offset=1)
        return FloatContainer(
            HSplit([rule, Window(board, dont_extend_height=True), self._line, keys]),
            [Float(menu, xcursor=True, ycursor=True)],
        )

    def _body(self) -> list[str]:
        """Return the lines of the board, which scroll if they must, the choices and the note."""
        rows, columns = self._app.output.get_size()
        rows = max(4, rows - 3 - _LOG_ROWS)
        scrolled, fixed = _wrapped(self._board, columns), _wrapped(self._choices, columns)
        if self._note:
            note = _wrapped(self._note, columns)
            if len(note) > rows // 2:
                scrolled, fixed = note, []
            else:
                fixed = note if len(fixed) + len(note) > rows // 2 else [*fixed, "", *note]
        fixed, _ = visible_lines(fixed, rows * 2 // 3, 0)
        room = rows - len(fixed) - 1
        own = [] if len(scrolled) <= room else _own_lines(scrolled)
        others = [line for line in scrolled if line not in own]
        others, self._top = visible_lines(others, room - len(own), self._top)
        return [*others, *own, "", *fixed]

    def _keys(self) -> str:
        """Name the keys, as many as fit."""
        return join_fitting(_KEYS, self._app.output.get_size().columns)

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def leave(event: KeyPressEvent) -> None:
            # The main thread stops the match.
            os.kill(os.getpid(), signal.SIGINT)

        @keys.add("c-d", filter=Condition(lambda: not self._line.text))
        def end(event: KeyPressEvent) -> None:
            self._answers.put(None)

        @keys.add("tab")
        def complete(event: KeyPressEvent) -> None:
            # The first press inserts the first move, and each other press the next one.
            if event.current_buffer.complete_state:
                event.current_buffer.complete_next()
            else:
                event.current_buffer.start_completion(select_first=True)

        @keys.add("c-z")
        def suspend(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @keys.add("pageup")
        def up(event: KeyPressEvent) -> None:
            self._top -= _PAGE

        @keys.add("pagedown")
        def down(event: KeyPressEvent) -> None:
            self._top += _PAGE

        return keys


class _MoveCompleter(Completer):
    """Completes what was typed to whole moves."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor.lstrip()
        for whole in self._complete(text.lower()):
            yield Completion(whole, start_position=-len(text))


def _own_lines(board: Sequence[str]) -> list[str]:
    """Return the lines that a person must see to choose, which stay when the others scroll."""
    for own in _HAND, _SEAT:
        if found := [line for line in board if own.match(click.unstyle(line))]:
            return found
    return []


def _nothing(width: int) -> str:
    return ""


def _wrapped(text: Text, columns: int) -> list[str]:
    return wrap_lines(text(columns).split("\n"), columns)
