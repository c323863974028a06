#include "sim/file/toy_cache.hpp"

#include <algorithm>
#include <string>

namespace seekahead {

namespace {

constexpr std::uint8_t uptodate_bits = PageState::present_bit | PageState::uptodate_bit;

[[noreturn]] void misuse(const char* what, PageIndex page) {
  throw std::logic_error("the policy " + std::string(what) + " " + std::to_string(page));
}

}  // namespace

ToyCacheFull::ToyCacheFull()
    : std::runtime_error("more than " + std::to_string(ToyCache::max_cached_pages) +
                         " pages would be cached: file size, length or window is absurd") {}

ToyCache::ToyCache(std::uint64_t file_size, ToyIo io, std::uint64_t vm_pages)
    : file_size_(file_size), end_page_(pages_for(file_size)), io_(io), vm_pages_(vm_pages) {}
ToyCache::~ToyCache() = default;

// --- pages

ToyCache::Page* ToyCache::find(PageIndex page) const {
  const std::uint64_t key = page / chunk_pages;
  if (key != recent_key_) {
    const auto found = chunks_.find(key);
    if (found == chunks_.end()) {
      return nullptr;
    }
    recent_key_ = key;
    recent_ = found->second.get();
  }
  Page& entry = (*recent_)[page % chunk_pages];
  return entry.bits != 0 ? &entry : nullptr;
}

ToyCache::Page& ToyCache::insert(PageIndex page, std::uint8_t bits) {
  if (cached_pages_ == max_cached_pages) {
    throw ToyCacheFull();
  }
  std::unique_ptr<Chunk>& chunk = chunks_[page / chunk_pages];
  if (!chunk) {
    chunk = std::make_unique<Chunk>();
  }
  Page& entry = (*chunk)[page % chunk_pages];
  entry.bits = bits;
  ++cached_pages_;
  push(inactive_, page);
  return entry;
}

void ToyCache::drop_if_uptodate(PageIndex page) {
  Page* entry = find(page);
  if (entry != nullptr && PageState(entry->bits).uptodate()) {
    unlink(page);
    entry->bits = 0;
    --cached_pages_;
  }
}

PageState ToyCache::state(PageIndex page) const {
  const Page* entry = find(page);
  return PageState(entry != nullptr ? entry->bits : std::uint8_t{0});
}

PageIndex ToyCache::next_absent(PageIndex from, std::uint64_t limit) const {
  for (std::uint64_t i = 0; i < limit; ++i) {
    if (find(from + i) == nullptr) {
      return from + i;
    }
  }
  return from + limit;
}

PageIndex ToyCache::previous_absent(PageIndex from, std::uint64_t limit) const {
  for (std::uint64_t i = 0; i < limit; ++i) {
    if (find(from - i) == nullptr) {
      return from - i;
    }
  }
  return from - limit;
}

// --- the outside world

void ToyCache::begin_operation(std::uint64_t operation) {
  operation_ = operation;
  batch_open_ = false;
}

void ToyCache::evict(PageIndex start, std::uint64_t count) {
  if (count != 0) {
    const PageIndex last = start + (count - 1);
    drop(start, last < start ? nobody : last);
  }
}

void ToyCache::populate(PageIndex start, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (find(start + i) == nullptr) {
      insert(start + i, uptodate_bits);
    }
  }
}

void ToyCache::complete() { finish_runs(runs_.size()); }

// --- reading

void ToyCache::start_reading(PageIndex page, WindowClass window_class, std::uint8_t extra_bits) {
  if (!batch_open_ || runs_.back().start + runs_.back().count != page) {
    runs_.push_back({operation_, page, 0, window_class});
    batch_open_ = true;
  }
  ++runs_.back().count;
  const std::uint8_t io_bits = io_ == ToyIo::instant ? uptodate_bits : PageState::present_bit;
  insert(page, static_cast<std::uint8_t>(io_bits | extra_bits)).run =
      static_cast<std::uint32_t>(runs_.size() - 1);
}

std::uint64_t ToyCache::submit(const Submission& wish) {
  std::uint64_t inserted = 0;
  const std::uint64_t count = wish.start < end_page_ ? std::min(wish.count, end_page_ - wish.start) : 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (find(wish.start + i) == nullptr) {
      start_reading(wish.start + i, wish.window_class,
                    i == wish.mark_at ? PageState::marker_bit : std::uint8_t{0});
      ++inserted;
    }
  }
  if (on_submission) {
    on_submission(wish, inserted);
  }
  return inserted;
}

void ToyCache::submit_page(PageIndex page, WindowClass window_class) {
  if (find(page) != nullptr) {
    misuse("submitted the cached page", page);
  }
  if (page >= end_page_) {
    insert(page, uptodate_bits);
  } else {
    start_reading(page, window_class, 0);
  }
}

void ToyCache::wait(PageIndex page) {
  const Page* entry = find(page);
  if (entry == nullptr || !PageState(entry->bits).in_flight()) {
    misuse("waited for a page that is not in flight:", page);
  }
  batch_open_ = false;
  waits_.push_back({operation_, page});
  finish_runs(entry->run + std::size_t{1});
}

void ToyCache::finish_runs(std::size_t past) {
  for (; finished_runs_ < past; ++finished_runs_) {
    const Run& run = runs_[finished_runs_];
    for (std::uint64_t i = 0; io_ == ToyIo::lazy && i < run.count; ++i) {
      find(run.start + i)->bits |= PageState::uptodate_bit;
    }
  }
}

void ToyCache::clear_marker(PageIndex page) {
  if (Page* entry = find(page)) {
    entry->bits &= static_cast<std::uint8_t>(~PageState::marker_bit);
  }
}

void ToyCache::drop(PageIndex first, PageIndex last) {
  // By chunk, so that "everything from here on" costs what is cached, not what is asked.
  for (const auto& [key, chunk] : chunks_) {
    const PageIndex base = key * chunk_pages;
    const PageIndex from = std::max(first, base);
    const PageIndex to = std::min(last, base + chunk_pages - 1);
    for (PageIndex page = from; page <= to && page >= from; ++page) {
      drop_if_uptodate(page);
    }
  }
}

// --- consuming

void ToyCache::copy(PageIndex page, std::uint64_t bytes) {
  if (!state(page).uptodate()) {
    misuse("copied from a page that is not up to date:", page);
  }
  copied_bytes_ += bytes;
}

void ToyCache::mark_accessed(PageIndex page) {
  Page* entry = find(page);
  if (entry == nullptr) {
    misuse("marked as accessed the absent page", page);
  }
  const PageState state(entry->bits);
  if (!state.active() && state.referenced()) {
    unlink(page);
    entry->bits =
        static_cast<std::uint8_t>((entry->bits & ~PageState::referenced_bit) | PageState::active_bit);
    push(active_, page);
  } else {
    entry->bits |= PageState::referenced_bit;
  }
}

std::uint64_t ToyCache::rescue(PageIndex page, std::uint64_t count) {
  const PageIndex held = page;  // by the reader; a page somebody holds is not moved
  PageIndex grabbed = nobody;   // by this walk: the first page after each break of list order
  PageIndex current = page;
  std::uint64_t moved = 0;
  while (count != 0 && find(page) != nullptr) {
    while (current == page) {
      const Page* entry = find(current);
      const PageIndex next = entry->newer;
      const PageState state(entry->bits);
      if (!state.active() && !state.in_flight() && current != held && current != grabbed) {
        unlink(current);
        push(inactive_, current);
        ++moved;
      }
      current = next;
      ++page;
      if (--count == 0) {
        return moved;
      }
    }
    grabbed = current = page;
  }
  return moved;
}

// --- reclaim lists

void ToyCache::push(List& list, PageIndex page) {
  Page& entry = (*chunks_[page / chunk_pages])[page % chunk_pages];
  entry.newer = nobody;
  entry.older = list.head;
  if (list.head != nobody) {
    find(list.head)->newer = page;
  }
  list.head = page;
}

void ToyCache::unlink(PageIndex page) {
  const Page& entry = *find(page);
  if (entry.older != nobody) {
    find(entry.older)->newer = entry.newer;
  }
  if (entry.newer != nobody) {
    find(entry.newer)->older = entry.older;
  } else {
    list_of(entry).head = entry.older;
  }
}

}  // namespace seekahead
