#include "sim/observe/readahead_profile.hpp"

namespace seekahead {

namespace {

class SampleReader final : public StateVisitor {
 public:
  void field(std::string_view name, std::int64_t value) override {
    if (name == "f_ramax") {
      sample.max = value;
      found = true;
    } else if (name == "f_ralen") {
      sample.len = value;
    } else if (name == "f_rawin") {
      sample.win = value;
    } else if (name == "f_raend") {
      sample.raend = value;
    }
  }
  void unsigned_field(std::string_view name, std::uint64_t value) override {
    field(name, static_cast<std::int64_t>(value));
  }
  void boolean_field(std::string_view, bool) override {}

  ReadaheadProfile::Sample sample;
  bool found = false;
};

}  // namespace

void ReadaheadProfile::submitted(const ReadaheadPolicy& policy, const Submission& wish,
                                 std::uint64_t pages_read) {
  const bool async = wish.window_class == WindowClass::ahead;
  if (pages_read == 0 || (!async && wish.window_class != WindowClass::window)) {
    return;
  }
  SampleReader reader;
  policy.visit_state(reader);
  if (!reader.found) {
    return;
  }
  last_ = reader.sample;
  sum_.max += last_.max;
  sum_.len += last_.len;
  sum_.win += last_.win;
  sum_.raend += last_.raend;
  ++samples_;
  async_ += async ? 1 : 0;
}

ReadaheadProfile::Sample ReadaheadProfile::average() const {
  const std::int64_t count = samples_ != 0 ? samples_ : 1;
  return {sum_.max / count, sum_.len / count, sum_.win / count, sum_.raend / count};
}

std::int64_t ReadaheadProfile::async_percent() const { return samples_ != 0 ? 100 * async_ / samples_ : 0; }

std::string ReadaheadProfile::text() const {
  if (samples_ == 0) {
    return "";
  }
  const Sample mean = average();
  return "Readahead average:  max=" + std::to_string(mean.max) + ", len=" + std::to_string(mean.len) +
         ", win=" + std::to_string(mean.win) + ", async=" + std::to_string(async_percent()) + "%\n" +
         "Readahead snapshot: max=" + std::to_string(last_.max) + ", len=" + std::to_string(last_.len) +
         ", win=" + std::to_string(last_.win) + ", raend=" + std::to_string(last_.raend) + "\n";
}

}  // namespace seekahead
