// What the two readahead policies of Linux 2.6.8 to 2.6.22 share: the page-fault path, advice, and reading a
// window. Rule names F1 ... F6 and D1, D2 are those of their specifications, docs/rules.md.
#pragma once

#include "models/readahead/read_cursor.hpp"
#include "sim/file/readahead_policy.hpp"

namespace seekahead {

class Linux26Policy : public ReadaheadPolicy {
 public:
  // `noreuse_reads`: POSIX_FADV_NOREUSE reads the range like WILLNEED (up to 2.6.17).
  Linux26Policy(std::uint64_t device_pages, bool noreuse_reads)
      : ra_pages_(device_pages), device_pages_(device_pages), noreuse_reads_(noreuse_reads) {}

  bool fault(PageCacheView& view, PageIndex page) final;
  void fadvise(PageCacheView& view, FileAdvice advice, std::uint64_t position, std::uint64_t length) final;
  void madvise(PageCacheView&, MapHint hint) final { hint_ = hint; }

 protected:
  // Readahead for a fault of a sequential mapping (RA of the specifications, one page wanted).
  virtual void fault_readahead(PageCacheView& view, PageIndex page) = 0;
  // MISS: a page that readahead should have brought is absent.
  virtual void missed(PageCacheView& view, PageIndex page) = 0;

  // R3, R4: the page is cached and up to date afterwards.
  void look_up(PageCacheView& view, PageIndex page);
  // SINGLE: reads the page alone if it is absent.
  static void read_single(PageCacheView& view, PageIndex page);
  // D2, READ: reads what is absent of the window, as one batch of its own; returns how many pages that were.
  static std::uint64_t read_window(PageCacheView& view, PageIndex first, std::uint64_t count,
                                   WindowClass window_class);

  void visit_mapping(StateVisitor& visitor) const;  // ra_pages, mmap_hit, mmap_miss

  std::uint64_t ra_pages_;  // of the open file: changed by fadvise

 private:
  void read_around(PageCacheView& view, PageIndex page) const;
  static void read_range(PageCacheView& view, std::uint64_t position, std::uint64_t length);

  const std::uint64_t device_pages_;
  const bool noreuse_reads_;
  MapHint hint_ = MapHint::normal;
  std::uint64_t mmap_hit_ = 0;
  std::uint64_t mmap_miss_ = 0;
};

}  // namespace seekahead
