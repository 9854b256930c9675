"""A program: load the codec in C from a file, and feed it valid, damaged and random messages.

It runs under AddressSanitizer, which ends it at the first wrong access to memory. What the codec
returns is compared with the one in Python on the way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from random import Random

from arena.errors import BadParameter
from arena.wire.fields import Malformed


def load(path: str) -> None:
    """Load an extension as `arena.wire._native`."""
    name = "arena.wire._native"
    spec = spec_from_file_location(name, path, loader=ExtensionFileLoader(name, path))
    assert spec
    assert spec.loader
    sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


def damaged(data: bytes, rng: Random) -> Iterator[bytes]:
    """Yield a message cut at every byte, with bytes changed, and with parts of it repeated."""
    for size in range(len(data)):
        yield data[:size]
    for _ in range(40):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            if changed:
                changed[rng.randrange(len(changed))] = rng.choice((0, 1, 127, 128, 255))
        yield bytes(changed)
    half = len(data) // 2
    yield data + data
    yield data[:half] + b"\xff" * 12 + data[half:]
    yield rng.randbytes(rng.randint(0, 80))


def main(path: str, seed: int) -> int:
    """Feed the codec in the file; return how many messages it read."""
    load(path)
    # Imported only now, because these modules choose the codec.
    from arena.games.conformance import settings_of
    from arena.games.registry import all_games
    from arena.wire.backend import PYTHON, native_backend
    from tests.wire.samples import Sample, envelope_samples, game_samples

    native = native_backend()
    assert native
    rng = Random(seed)
    count = 0

    def outcome(sample: Sample, backend: object, data: bytes) -> str:
        try:
            return repr(sample.read_with(backend, data))  # type: ignore[arg-type]
        except (Malformed, BadParameter) as error:
            return type(error).__name__

    samples = [*envelope_samples()]
    for setting in (each for game in all_games() for each in settings_of(game)):
        samples += list(game_samples(setting, seed, decisions=30))
    for sample in rng.sample(samples, min(len(samples), 400)):
        assert sample.write_with(native) == sample.data
        for data in damaged(sample.data, rng):
            assert outcome(sample, native, data) == outcome(sample, PYTHON, data), data
            count += 1
    return count


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2])), "messages")
