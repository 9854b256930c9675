"""Answers of models that are kept, so that a run can be repeated without asking again."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from arena.models.service import Completion


class Answers(NamedTuple):
    """A folder with a file for each request, named by the hash of what was asked."""

    folder: Path

    def find(self, address: str, body: dict[str, Any]) -> Completion | None:
        """Return the answer to this request, or None; a damaged file is none."""
        try:
            fields = json.loads(self._path(address, body).read_bytes())
            texts = str(fields["text"]), str(fields["refusal"])
            return Completion(*texts, int(fields["tokens_in"]), int(fields["tokens_out"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, address: str, body: dict[str, Any], completion: Completion) -> None:
        """Keep an answer; where the folder cannot be written, nothing is kept."""
        path = self._path(address, body)
        part = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # What a model was asked shows one seat's cards.
            with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump(completion._asdict(), file)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)

    def _path(self, address: str, body: dict[str, Any]) -> Path:
        asked = json.dumps([address, body], sort_keys=True).encode()
        return self.folder / f"{hashlib.sha256(asked).hexdigest()}.json"
