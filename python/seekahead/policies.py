"""Readahead policies written in Python."""

from __future__ import annotations

from typing import ClassVar

from seekahead._core import PageCacheView
from seekahead._declarations import HasParameters

__all__ = ["PageCacheView", "ReadaheadPolicy"]


class ReadaheadPolicy(HasParameters):
    """Base of readahead policies written in Python: override a hook or two.

    The simulator walks over the pages of a read or a page fault and calls the hook that fits what it finds; between
    hooks it copies, waits and lets other processes run. A hook decides at once: it looks at the cache and submits
    pages through the view it is handed, and what it submitted starts when it returns. There is one object for each
    open file, so attributes hold what the policy remembers of it. Hooks that a class leaves out cost nothing.

    What a hook submits, and the single page after it, are one batch of I/O: neighbours go to the disk together.

    Parameters are annotated class attributes with a default (int, float, bool, str, ``Literal`` words) or a
    :func:`seekahead.parameter`; scenarios set them as those of any other policy. They have their values before
    ``__init__`` runs, as has ``ra_pages``.

    Attributes
    ----------
    ra_pages : int
        The device's readahead limit in pages: read_ahead_kb / 4.
    looks_past_end, marker_hit_at_once, counts_page_once : bool
        How the loop over a read differs from the plain one; Linux since 2.6.23 has all three. A read that reaches the
        end of the file and wants more looks at the page behind it, too. A marker that ``page_absent`` put on the very
        page that is wanted calls ``marker_hit`` at once. A reader that goes through a page in small steps counts as
        one use of it for reclaim.

    Examples
    --------
    >>> import seekahead as sx
    >>> class Doubling(sx.ReadaheadPolicy):
    ...     '''Twice as much each time, up to the limit.'''
    ...     first: int = sx.parameter(4, 1, 1024, help="pages of the first window")
    ...
    ...     def __init__(self):
    ...         self.start, self.size = 0, 0
    ...
    ...     def page_absent(self, view, page, remaining):
    ...         is_next = page == self.start + self.size
    ...         self.size = min(2 * self.size if is_next and self.size else self.first, self.ra_pages)
    ...         self.start = page
    ...         view.submit(page, self.size)
    >>> sc = sx.Scenario.example("larsson-2001/read").with_(policy=Doubling).with_({"readahead.first": 8})
    >>> sc.run(point=0)["readahead.policy"]
    'Doubling'
    """

    _declares_nothing: ClassVar[bool] = True
    ra_pages: int = 32
    looks_past_end: ClassVar[bool] = False
    marker_hit_at_once: ClassVar[bool] = False
    counts_page_once: ClassVar[bool] = False

    def page_absent(self, view: PageCacheView, page: int, remaining: int) -> None:
        """The page that is wanted is not cached; if it still is not afterwards, it is read alone.

        ``remaining`` counts the pages from this one to the end of the reader's request, not clipped to the file.
        """

    def page_present(self, view: PageCacheView, page: int, remaining: int) -> None:
        """The page is cached, or on its way, and carries no marker."""

    def marker_hit(self, view: PageCacheView, page: int, remaining: int) -> None:
        """The page carries the marker that a window put on it: time for the next window.

        The marker is taken off, unless the hook calls ``view.keep_marker()``.
        """

    def fault_absent(self, view: PageCacheView, page: int) -> None:
        """A page fault misses. Without this hook it is ``page_absent`` with ``remaining`` 1."""

    def fault_present(self, view: PageCacheView, page: int) -> None:
        """A page fault finds the page, without a marker. Without this hook it is ``page_present``."""

    def fault_marker(self, view: PageCacheView, page: int) -> None:
        """A page fault finds a marker, and its page is up to date. Without this hook it is ``marker_hit``."""

    def read_done(self, view: PageCacheView, position: int, copied: int) -> None:
        """A read that began at byte ``position`` has delivered ``copied`` bytes."""

    def fault_done(self, view: PageCacheView, page: int) -> None:
        """The page of a fault is up to date."""

    def fadvise(self, view: PageCacheView, advice: str, position: int, length: int) -> None:
        """The process calls posix_fadvise; length 0 means to the end.

        ``advice`` is "normal", "random", "sequential", "willneed", "dontneed" or "noreuse". Without this hook
        "willneed" reads the range, "dontneed" drops it, and the others do nothing.
        """

    def madvise(self, view: PageCacheView, hint: str) -> None:
        """The process says how it will use the mapping: "normal", "random" or "sequential"."""

    def close(self, view: PageCacheView, position: int) -> None:
        """The file is closed; ``position`` is the end of its last read."""

    def state(self) -> dict[str, int]:
        """Variables by name, for :func:`seekahead.decide`: whole numbers below 2^64, True and False."""
        return {}
