"What a page says is refused."
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["refuses"]


@contextmanager
def refuses(
    kind: type[Exception],  # Error that what stands below must raise
    words: str,  # What the error must say
) -> Iterator[None]:
    """Assert that what stands below is refused, and why.

    Raises: `AssertionError` if it is not, or if the error says something else.
    """
    try: yield
    except kind as error:
        if words not in str(error):
            raise AssertionError(f"refused because {error}, and not for {words!r}") from error
    else: raise AssertionError(f"need a {kind.__name__} about {words!r}, got none")
