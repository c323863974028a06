// Random numbers that are the same on every machine and library: own generator (xoshiro256**, public domain
// algorithm by Blackman and Vigna, seeded through splitmix64) and own distributions. A stream is named, so
// that adding one leaves the numbers of the others alone: Random(seed, "process.diff").
#pragma once

#include <cstdint>
#include <string_view>

namespace seekahead {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::string_view stream = "");

  std::uint64_t next();                                       // 64 random bits
  std::uint64_t below(std::uint64_t bound);                   // uniform in [0, bound). REQUIRES: bound > 0
  double unit();                                              // uniform in [0, 1), 53 bits
  std::int64_t between(std::int64_t low, std::int64_t high);  // uniform in [low, high]. REQUIRES: low <= high

 private:
  std::uint64_t state_[4];
};

}  // namespace seekahead
