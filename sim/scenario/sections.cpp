// Parameters of the sections [machine], [block] and [writeback]; their meaning is explained once, here.
#include "sim/block/queue_rules.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead {

namespace {
constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t tib = std::int64_t{1} << 40;
}  // namespace

void MachineConfig::visit(ParameterVisitor& v) {
  v.bytes("memory", memory_bytes, {mib, tib}, "RAM of the machine", "chosen: a desktop of 2001");
  v.bytes("reserved", reserved_bytes, {0, tib},
          "taken by kernel and programs, not available to the page cache", "chosen");
  v.integer("cores", cores, {1, 1024}, "processors; processes that compute contend for them");
  v.time("cpu_per_page", cpu_per_page_ns, {0, ns_per_s}, "copy to user and page-cache bookkeeping, a page",
         "chosen: about 400 MB/s of copying on a processor of 2001");
  v.time("cpu_per_call", cpu_per_call_ns, {0, ns_per_s}, "CPU time of a system call", "chosen");
  v.time("cpu_per_fault", cpu_per_fault_ns, {0, ns_per_s}, "CPU time of a page fault", "chosen");
  v.time("cpu_granularity", cpu_granularity_ns, {0, ns_per_s},
         "CPU debt of a process is paid at the latest when it exceeds this",
         "chosen: speed of the simulation");
}

void MachineConfig::check(const ProblemSink& problem) const {
  if (reserved_bytes > memory_bytes - mib) {
    problem("reserved", "must leave at least 1 MiB of memory to the page cache");
  }
}

void BlockConfig::visit(ParameterVisitor& v) {
  std::vector<std::string_view> kernels;
  for (const QueueRules& rules : all_queue_rules()) {
    kernels.push_back(rules.kernel);
  }
  v.choice("kernel", kernel, kernels, "whose rules of request slots, plugging, congestion and limits hold");
  v.bytes("max_request", max_request_bytes, {0, std::int64_t{1} << 30},
          "largest request that merging may build, a multiple of 4 KiB; 0: the kernel's own (2.4: 124 KiB)",
          "kernel");
  v.integer("request_slots", request_slots, {0, 65536},
            "requests a queue holds in each direction, and with it where congestion begins on 2.6; 0: the "
            "kernel's own number",
            "kernel");
  v.integer("max_segments", max_segments, {0, 65536},
            "scatter-list entries (pages) of a request; 0: the kernel's own number, or as many as "
            "max_request needs",
            "kernel");
}

void BlockConfig::check(const ProblemSink& problem) const {
  if (max_request_bytes % static_cast<std::int64_t>(page_bytes) != 0) {
    problem("max_request", "must be a multiple of 4 KiB, the page");
  }
}

void WritebackConfig::visit(ParameterVisitor& v) {
  v.percent("flush", flush_percent, {0, 100}, "share of dirty buffers above which the flusher runs",
            "Linux 2.4: nfract of /proc/sys/vm/bdflush");
  v.percent("sync", sync_percent, {0, 100}, "share of dirty buffers above which the writer flushes as well",
            "Linux 2.4: nfract_sync");
  v.integer("flush_batch", flush_batch, {1, 1 << 20}, "buffers written in a round of the flusher",
            "Linux 2.4: ndirty");
  v.time("interval", interval_ns, {ns_per_ms, 3600 * ns_per_s}, "period of the look at old buffers",
         "Linux 2.4: kupdate");
  v.time("age", age_ns, {0, 3600 * ns_per_s}, "age at which a dirty buffer is written",
         "Linux 2.4: age_buffer");
}

void WritebackConfig::check(const ProblemSink& problem) const {
  if (sync_percent < flush_percent) {
    problem("sync", "must not be below flush");
  }
}

}  // namespace seekahead
