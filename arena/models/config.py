"""The TOML file that describes a model: its address, its prompts, its limits and its price."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from arena.errors import BadInput
from arena.games.registry import EVERY_GAME
from arena.tomlfile import TomlFile, short_repr

PREFIX = "llm:"
"""Words with this prefix name models."""
TEMPLATES = ("system.md", "turn.md", "rethink.md")
_BUILT_IN = Path(__file__).parent / "prompts"
_TEMPLATE_BYTES = 64 * 1024
_PACKED = "model.toml"
"""In a version of a league; its templates are in the folder `prompts` beside it."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,35}")


class BadModel(BadInput):
    """A model's file has a mistake in it, or does not exist."""


@dataclass(frozen=True)
class ModelConfig:
    """A model, as its file describes it."""

    name: str
    """The name of the file, without its ending."""
    model: str
    """What the service calls it."""
    address: str
    """The base address of the service; `/chat/completions` is added."""
    key: str = ""
    """The environment variable that has the key; empty if the service needs none."""
    temperature: float | None = None
    max_tokens: int = 4096
    """The greatest length of one answer."""
    stream: bool = False
    legal: str = "listed"
    """Whether a prompt lists the legal moves: "listed" or "hidden"."""
    history: int = 12
    """How many earlier turns of the match a prompt repeats."""
    rethinks: int = 1
    """How often an answer that is no legal move is sent back, with the reason."""
    timeout_s: float = 120.0
    """How long one answer may take."""
    retries: int = 6
    """How often a request is repeated that the service could not take, such as at a rate limit."""
    backoff_s: float = 1.0
    """The pause before the first repetition, unless the service names one; each next is twice as
    long."""
    at_once: int = 4
    """The greatest number of requests at once."""
    input_price: float = 0.0
    """The price of a million tokens of prompts."""
    output_price: float = 0.0
    """The price of a million tokens of answers."""
    match_tokens: int | None = None
    """The greatest number of tokens of one match, prompts and answers together."""
    match_cost: float | None = None
    """The greatest cost of one match."""
    prompts: str = ""
    """A folder with other templates, relative to the file: `system.md`, `turn.md`, `rethink.md`.
    The built-in one is used for any that it lacks."""
    folder: str = "."
    """Where the file is."""

    @cached_property
    def templates(self) -> dict[str, str]:
        """The text of each template."""
        texts = {}
        for name in TEMPLATES:
            own = Path(self.folder, self.prompts, name) if self.prompts else _BUILT_IN / name
            path = own if own.is_file() else _BUILT_IN / name
            try:
                data = path.read_bytes()
                if len(data) > _TEMPLATE_BYTES:
                    raise BadModel(f"{path} is too long: the maximum is {_TEMPLATE_BYTES} bytes")
                texts[name] = data.decode()
            except (OSError, UnicodeDecodeError) as error:
                raise BadModel(f"{path} cannot be read: {error}") from None
        return texts

    @cached_property
    def hash(self) -> str:
        """The hash of everything that shapes its answers: two players with the same are alike."""
        shaping = ("model", "address", "temperature", "max_tokens", "legal", "history", "rethinks")
        values = {name: value for name, value in asdict(self).items() if name in shaping}
        text = json.dumps([values, self.templates], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def secret(self) -> str:
        """Return the key from the environment; empty if the service needs none."""
        if self.key and not os.environ.get(self.key):
            raise BadModel(
                f"{PREFIX}{self.name} needs its key in the environment variable {self.key}, "
                "which is not set"
            )
        return os.environ[self.key] if self.key else ""

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return what these tokens cost."""
        return (tokens_in * self.input_price + tokens_out * self.output_price) / 1e6


def is_model(word: object) -> bool:
    """Return whether a player is named as a language model."""
    return isinstance(word, str) and word.startswith(PREFIX)


def find_model(word: str) -> ModelConfig:
    """Return the model that a word names: `llm:claude` is described in claude.toml.

    The file is looked up in the current folder, then in the user's folder of models;
    `llm:models/claude.toml` is a path.
    """
    text = word.removeprefix(PREFIX)
    if text.endswith(".toml"):
        return read_model(Path(text))
    places = [Path(), models_folder()]
    for place in places:
        if _NAME.fullmatch(text) and (place / f"{text}.toml").is_file():
            return read_model(place / f"{text}.toml")
    raise BadModel(
        f"no such model: {word!r}; there is no {text}.toml here or in {places[-1]}. "
        "`arena docs models` says what it contains"
    )


def models_folder() -> Path:
    """Return the user's folder for files of models."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "arena" / "models"


def answers_folder() -> Path:
    """Return the user's folder for answers that are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "arena" / "answers"


def read_model(path: Path) -> ModelConfig:
    """Read a model's file; errors name the line of the mistake."""
    if not path.is_file():
        raise BadModel(f"no such file: {path}")
    if not _NAME.fullmatch(path.stem):
        raise BadModel(f"{path}: a model's name has at most 36 letters, digits, dots and dashes")
    file = TomlFile(path, BadModel)
    file.check_keys(_CHECKS)
    for key in ("model", "address"):
        if key not in file.table:
            raise file.missing(key)
    for key, value in file.table.items():
        what, is_valid = _CHECKS[key]
        if not is_valid(value):
            raise file.mistake(key, f"is {short_repr(value)}: it must be {what}")
    config = ModelConfig(name=path.stem, folder=str(path.parent), **file.table)
    if config.prompts and not (path.parent / config.prompts).is_dir() and path.name != _PACKED:
        raise file.mistake("prompts", f"is {short_repr(config.prompts)}, which is not a folder")
    return config


def pack_model(config: ModelConfig, folder: Path) -> None:
    """Write the files of a model into a new folder, which a league stores as a version."""
    path = Path(config.folder) / f"{config.name}.toml"
    (folder / "prompts").mkdir(parents=True)
    (folder / _PACKED).write_bytes(path.read_bytes())
    (folder / "bot.toml").write_text(manifest_of(config), encoding="utf-8")
    for name, text in config.templates.items():
        (folder / "prompts" / name).write_text(text, encoding="utf-8")


def manifest_of(config: ModelConfig) -> str:
    """Return the bot.toml of a model; its name is none that a submitted bot can have."""
    return f'name = "{PREFIX}{config.name}"\ngames = ["{EVERY_GAME}"]\ncommand = ["{PREFIX}"]\n'


def read_packed_model(folder: Path, name: str) -> ModelConfig:
    """Read a model from the folder of a version, with the templates that are stored there."""
    config = read_model(folder / _PACKED)
    return replace(config, name=name.removeprefix(PREFIX), prompts="prompts")


def check_own(config: ModelConfig) -> ModelConfig:
    """Return a model of a league if the user's own file has its address and its key.

    The league may come from someone else, who could send any variable of the environment anywhere.
    """
    own = find_model(f"{PREFIX}{config.name}")
    if (own.address, own.key) != (config.address, config.key):
        raise BadModel(
            f"{PREFIX}{config.name} was entered with another address or key than {own.name}.toml "
            f"has: {config.address}, {config.key or 'no key'}; change the file if you trust these"
        )
    return config


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != "" and value.isprintable()


def _is_address(value: Any) -> bool:
    try:
        parts = urlsplit(value if isinstance(value, str) else "")
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _number(least: float, most: float, *, whole: bool = False) -> Callable[[Any], bool]:
    kinds = int if whole else int | float

    def is_valid(value: Any) -> bool:
        is_number = isinstance(value, kinds) and not isinstance(value, bool)
        return is_number and least <= value <= most

    return is_valid


_ADDRESS = "an address such as http://localhost:8000/v1"
_CHECKS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "model": ("the name of a model", _is_text),
    "address": (_ADDRESS, _is_address),
    "key": ("the name of an environment variable", _is_text),
    "temperature": ("a number from 0 to 2", _number(0, 2)),
    "max_tokens": ("a number from 16 to 200000", _number(16, 200_000, whole=True)),
    "stream": ("true or false", lambda value: isinstance(value, bool)),
    "legal": ('"listed" or "hidden"', lambda value: value in ("listed", "hidden")),
    "history": ("a number from 0 to 1000", _number(0, 1000, whole=True)),
    "rethinks": ("a number from 0 to 10", _number(0, 10, whole=True)),
    "timeout_s": ("a number of seconds from 0.1 to 3600", _number(0.1, 3600)),
    "retries": ("a number from 0 to 20", _number(0, 20, whole=True)),
    "backoff_s": ("a number of seconds from 0 to 60", _number(0, 60)),
    "at_once": ("a number from 1 to 64", _number(1, 64, whole=True)),
    "input_price": ("the price of a million tokens", _number(0, 1e6)),
    "output_price": ("the price of a million tokens", _number(0, 1e6)),
    "match_tokens": ("a number of tokens", _number(1, 1e12, whole=True)),
    "match_cost": ("an amount of money", _number(0, 1e9)),
    "prompts": ("the name of a folder", _is_text),
}
assert set(_CHECKS) == {each.name for each in fields(ModelConfig)} - {"name", "folder"}
