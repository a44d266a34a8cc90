"""What sqlglot's parser does with a text that is no SQL, besides saying so."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

# It stumbles over `CAST( <=> map(` and over names that are empty, instead of complaining.
SLIPS = (LookupError, ValueError, TypeError, AttributeError)

_LOGGER = logging.getLogger("sqlglot")


@contextmanager
def quiet() -> Iterator[None]:
    """It warns of what it only stores; that is refused here, with a reason."""
    before, _LOGGER.disabled = _LOGGER.disabled, True
    try:
        yield
    finally:
        _LOGGER.disabled = before
