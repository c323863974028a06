// The profile lines of linux-2.4's readahead:
//
//   Readahead average:  max=20, len=25, win=38, async=75%
//   Readahead snapshot: max=31, len=32, win=64, raend=1234
//
// Definition: a sample is taken at each readahead submission that reads at least one page, after the policy
// has set its window. max, len, win and raend are its variables f_ramax (the next block's size), f_ralen (the
// newest block's length), f_rawin (the window's: the newest block, or the last two) and f_raend (one past the
// last page asked). Averages are over all samples, rounded down as the kernel does; async is the share of
// samples whose submission was not waited for; the snapshot is the last sample. (The kernel's own counter
// also samples calls that find all their pages cached, and prints every 1000 calls over all files.)
#pragma once

#include <cstdint>
#include <string>

#include "sim/file/readahead_policy.hpp"

namespace seekahead {

class ReadaheadProfile {
 public:
  struct Sample {
    std::int64_t max = 0;
    std::int64_t len = 0;
    std::int64_t win = 0;
    std::int64_t raend = 0;
  };

  // A submission of `policy` was made and `pages_read` of it were inserted. Policies without the variables
  // are ignored.
  void submitted(const ReadaheadPolicy& policy, const Submission& wish, std::uint64_t pages_read);

  std::int64_t samples() const { return samples_; }
  Sample average() const;  // all 0 without samples
  std::int64_t async_percent() const;
  const Sample& snapshot() const { return last_; }
  // The two lines, each with a newline; empty without samples.
  std::string text() const;

 private:
  Sample last_;
  Sample sum_;
  std::int64_t samples_ = 0;
  std::int64_t async_ = 0;
};

}  // namespace seekahead
