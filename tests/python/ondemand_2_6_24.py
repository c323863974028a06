"""On-demand readahead of Linux 2.6.24 as a Python policy.

A window [start, start + size) is read for each open file, with a marker ``async_size`` pages before its end. The next
window follows when a page is missing or the marker is met. Numbers in comments are those of docs/readahead.
"""

import seekahead as sx

U64 = 2**64 - 1
ADVICE_CHUNK = 512
LOTS_OF_MISSES = 100


def first_window(request, limit):
    """Pages of the first window of a stream that asks for ``request`` pages."""
    rounded = 1 << (request - 1).bit_length()
    if rounded <= limit // 32:
        return 4 * rounded
    return 2 * rounded if rounded <= limit // 4 else limit


def next_window(size, limit):
    """Pages of the window after one of ``size`` pages."""
    return min(4 * size if size < limit // 16 else 2 * size, limit)


class Ondemand2624(sx.ReadaheadPolicy):
    """On-demand readahead of Linux 2.6.24, written in Python"""

    looks_past_end = True
    marker_hit_at_once = True
    counts_page_once = True

    def __init__(self):
        self.start = self.size = self.async_size = 0
        self.device_ra_pages = self.ra_pages
        self.mmap_miss = 0
        self.prev_pos = -1
        self.hint = "normal"
        self.read_around = False

    # --- read(2)

    def page_absent(self, view, page, remaining):
        if self.ra_pages:
            self.decide(view, False, page, remaining)

    def marker_hit(self, view, page, remaining):
        if not self.ra_pages:
            view.keep_marker()
        elif not view.congested:
            self.decide(view, True, page, remaining)

    def read_done(self, view, position, copied):
        if copied:
            end = position + copied
            self.prev_pos = (end - 1) & ~4095 | end & 4095

    # --- the decision, rules 3.1 to 3.5

    def decide(self, view, marker_hit, page, request):
        limit = self.ra_pages
        end = self.start + self.size
        if page and page in (end, end - self.async_size):
            view.note("3.1", "the expected page: next window")
            self.start = end
            self.size = self.async_size = next_window(self.size, limit)
            window_class = "sequential"
        elif marker_hit:
            hole = view.next_absent(page, limit + 1)
            if hole - page > limit:
                view.note("3.4", "a stranger's marker, but everything up to the limit is cached")
                return
            view.note("3.4", "a stranger's marker: go on where its window ends")
            self.start = hole
            self.size = self.async_size = next_window(hole - page, limit)
            window_class = "interleaved"
        elif request > limit or (page - (self.prev_pos >> 12)) & U64 <= 1:
            view.note("3.5", "start of file, sequential or oversize: initial window")
            self.start = page
            self.size = first_window(request, limit)
            self.async_size = self.size - request if self.size > request else self.size
            window_class = "init" if page else "init0"
        else:
            view.note("3.3", "random: read as it is, window untouched")
            self.submit(view, page, request, "random")
            return
        view.close_batch()
        view.submit(self.start, self.size, self.size - self.async_size, window_class, self.async_size, self.prev_pos)
        view.close_batch()

    def submit(self, view, start, count, window_class):
        view.close_batch()
        view.submit(start, count, None, window_class, 0, self.prev_pos)
        view.close_batch()

    # --- page faults

    def fault_absent(self, view, page):
        if self.hint == "sequential":
            self.page_absent(view, page, 1)
        elif self.hint == "normal":
            self.mmap_miss += 1
            if self.mmap_miss > LOTS_OF_MISSES:
                view.note("5.4", "too many misses on this mapping: no read-around")
                return
            self.read_around = True
            around = min(self.ra_pages, view.vm_pages // 2)
            if around and not view.congested:
                view.note("5.4", "read-around, window untouched")
                self.submit(view, max(page - around // 2, 0), around, "around")

    def fault_marker(self, view, page):
        if self.hint == "sequential":
            self.marker_hit(view, page, 1)
        else:
            view.keep_marker()

    def fault_done(self, view, page):
        if not self.read_around:
            self.mmap_miss -= 1
        self.read_around = False
        self.prev_pos = page << 12

    # --- advice

    def madvise(self, view, hint):
        self.hint = hint

    def fadvise(self, view, advice, position, length):
        if advice == "normal":
            self.ra_pages = self.device_ra_pages
        elif advice == "random":
            self.ra_pages = 0
        elif advice == "sequential":
            self.ra_pages = 2 * self.device_ra_pages
        elif advice == "willneed":
            first, past = position >> 12, (position + length + 4095 >> 12 if length else 1 << 52)
            count = min(past - first, view.vm_pages // 2)
            for start in range(first, min(first + count, view.end_page), ADVICE_CHUNK):
                self.submit(view, start, min(ADVICE_CHUNK, first + count - start), "fadvise")
        elif advice == "dontneed":
            # A page of which only the end is named stays.
            first, last = position + 4095 >> 12, (position + length - 1 >> 12 if length else (1 << 52) - 1)
            if last >= first:
                view.drop(first, last)

    def state(self):
        return {
            "start": self.start,
            "size": self.size,
            "async_size": self.async_size,
            "ra_pages": self.ra_pages,
            "mmap_miss": self.mmap_miss,
            "prev_pos": self.prev_pos,
        }
