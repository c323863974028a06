#include "sim/observe/kernel_log.hpp"

namespace seekahead {

std::string kernel_log_line(const KernelLogSubject& subject, const Submission& wish,
                            std::uint64_t pages_read) {
  std::string line = "readahead-";
  line += window_class_name(wish.window_class);
  line += "(process: ";
  line += subject.process;
  line += "/" + std::to_string(subject.pid) + ", file: ";
  line += subject.file;
  line += ", offset=" + std::to_string(subject.file_position / page_bytes) + ":" +
          std::to_string(wish.previous_position >> 12);
  line += ", ra=" + std::to_string(wish.start) + "+" + std::to_string(wish.count) + "-" +
          std::to_string(wish.async_size);
  line += ") = " + std::to_string(pages_read);
  return line;
}

}  // namespace seekahead
