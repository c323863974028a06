// One CSV row for each completed request of the block layer, in order of completion.
#include <cstdio>

#include "sim/observe/traces.hpp"

namespace seekahead {

namespace {

double milliseconds(TimeNs ns) { return static_cast<double>(ns) / 1e6; }

class RequestsCsvTrace final : public Trace {
 public:
  explicit RequestsCsvTrace(OutputFile& file) : file_(file) {
    file_.write(
        "id,device,start_sector,sectors,is_write,queued_ms,dispatched_ms,completed_ms,queue_ms,seek_ms,"
        "rotation_ms,transfer_ms,bus_ms,overhead_ms,cache_hit\n");
  }

  void request_completed(const RequestEvent& event) override {
    const Request& request = *event.request;
    const ServiceTime& spent = event.service;
    const TimeNs waited_ns = request.dispatched_ns - request.queued_ns + spent.queue_ns;
    char numbers[320];
    std::snprintf(numbers, sizeof numbers, ",%lld,%lld,%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%d\n",
                  static_cast<long long>(request.start), static_cast<long long>(request.sectors),
                  request.is_write ? 1 : 0, milliseconds(request.queued_ns),
                  milliseconds(request.dispatched_ns), milliseconds(event.time_ns), milliseconds(waited_ns),
                  milliseconds(spent.seek_ns), milliseconds(spent.rotation_ns),
                  milliseconds(spent.transfer_ns), milliseconds(spent.bus_ns),
                  milliseconds(spent.overhead_ns), spent.cache_hit ? 1 : 0);
    file_.write(std::to_string(++count_) + "," + std::string(event.device) + numbers);
  }

 private:
  OutputFile& file_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Trace> make_requests_csv_trace(OutputFile& file) {
  return std::make_unique<RequestsCsvTrace>(file);
}

}  // namespace seekahead
