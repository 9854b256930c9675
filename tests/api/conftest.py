"""What all tests of `import arena` need."""

from collections.abc import Iterator
from warnings import catch_warnings, filterwarnings

import pytest


@pytest.fixture(autouse=True)
def any_cage() -> Iterator[None]:
    """Let a machine have no better cage than Landlock, of which a warning says so."""
    with catch_warnings():
        filterwarnings("ignore", "a weaker cage")
        yield
