// The teaching device of published tables and textbooks: every request costs one access plus its size over
// the bandwidth, one request after the other. Whatever a readahead window gains on it is plain arithmetic: W
// / (W / bandwidth + access).
#include "models/device/fixed_latency.hpp"

#include <deque>

#include "models/device/rate.hpp"

namespace seekahead {

void FixedLatencyParameters::visit(ParameterVisitor& v) {
  v.time("access", access_ns, {0, 10 * ns_per_s}, "positioning before the data of every request",
         "Wu, linux-mm, 2010-02-02: model table of a hard disk");
  v.rate("bandwidth", bandwidth, {1, 1'000'000'000'000}, "transfer rate of the data",
         "Wu, linux-mm, 2010-02-02: model table of a hard disk");
  v.bytes("capacity", capacity_bytes, {sector_bytes, std::int64_t{1} << 60}, "size of the device", "chosen");
  v.bytes("max_request", max_request_bytes, {sector_bytes, std::int64_t{1} << 30},
          "largest request of one command; larger ones are split by the block layer", "chosen (ATA, LBA28)");
  v.integer("queue_depth", queue_depth, {1, 65536},
            "requests the device holds at once; it serves them one by one in order of arrival", "chosen");
}

void FixedLatencyParameters::check(const ProblemSink& problem) const {
  if (capacity_bytes % sector_bytes != 0) {
    problem("capacity", "is not a multiple of the sector, 512 bytes");
  }
  if (max_request_bytes % sector_bytes != 0) {
    problem("max_request", "is not a multiple of the sector, 512 bytes");
  }
}

namespace {

class FixedLatency final : public BlockDevice {
 public:
  explicit FixedLatency(const FixedLatencyParameters& parameters) : p_(parameters) {}

  std::int64_t capacity_sectors() const override { return p_.capacity_bytes / sector_bytes; }
  std::int64_t queue_depth() const override { return p_.queue_depth; }
  std::int64_t max_request_sectors() const override { return p_.max_request_bytes / sector_bytes; }

  void submit(TimeNs now, const DeviceRequest& request) override {
    const TimeNs start_ns = now > free_at_ns_ ? now : free_at_ns_;
    Completion c;
    c.id = request.id;
    c.service.queue_ns = start_ns - now;
    c.service.seek_ns = p_.access_ns;  // seek and rotation are not told apart here
    c.service.transfer_ns = time_at_rate_ns(request.sectors * sector_bytes, p_.bandwidth);
    c.time_ns = start_ns + c.service.seek_ns + c.service.transfer_ns;
    free_at_ns_ = c.time_ns;
    outstanding_.push_back(c);
  }

  TimeNs next_event_ns() const override {
    return outstanding_.empty() ? never_ns : outstanding_.front().time_ns;
  }

  void advance(TimeNs now, std::vector<Completion>& done) override {
    while (!outstanding_.empty() && outstanding_.front().time_ns <= now) {
      done.push_back(outstanding_.front());
      outstanding_.pop_front();
    }
  }

 private:
  FixedLatencyParameters p_;
  TimeNs free_at_ns_ = 0;
  std::deque<Completion> outstanding_;  // in order of completion
};

}  // namespace

std::unique_ptr<BlockDevice> make_fixed_latency(const FixedLatencyParameters& parameters,
                                                const DeviceContext&) {
  return std::make_unique<FixedLatency>(parameters);
}

}  // namespace seekahead
