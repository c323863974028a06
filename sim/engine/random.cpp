#include "sim/engine/random.hpp"

namespace seekahead {

namespace {
std::uint64_t splitmix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

constexpr std::uint64_t rotate_left(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
}  // namespace

Random::Random(std::uint64_t seed, std::string_view stream) {
  std::uint64_t mix = seed;
  for (const char c : stream) {  // FNV-1a step over the name, then diffused by splitmix
    mix = (mix ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    splitmix(mix);
  }
  for (std::uint64_t& word : state_) {
    word = splitmix(mix);
  }
}

std::uint64_t Random::next() {
  const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate_left(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t reject = (0 - bound) % bound;  // the first 2^64 mod bound values would be favoured
  std::uint64_t x = next();
  while (x < reject) {
    x = next();
  }
  return x % bound;
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t offset = span == ~std::uint64_t{0} ? next() : below(span + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

}  // namespace seekahead
