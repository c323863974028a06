// The kernel's own debug line for a readahead submission, in the form of the mmap readahead posting of
// December 2007:
//
//   readahead-around(process: w3m/23926, file: sda1/w3m, offset=0:0, ra=290+32-0) = 17
//
// class of the window; command and process id; device and file; offset=POSITION:PREVIOUS; ra=START+SIZE-ASYNC
// as the policy set them, whatever is cached or past the end of the file; the pages really read.
//
// The posting does not explain the offset pair. PREVIOUS is the page of the descriptor's previous access (-1
// before the first): in every published sequence it is the page before a sequential hit, or the last page
// touched. POSITION is 0 in all 96 published lines, which are program starts: read(832 bytes at 0), then page
// faults. We take it for the page of the file position, which such starts leave at 0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/file/page_cache_view.hpp"

namespace seekahead {

// Who reads what.
struct KernelLogSubject {
  std::string_view process;
  std::int64_t pid = 0;
  std::string_view file;            // "DEVICE/NAME"
  std::uint64_t file_position = 0;  // of the descriptor, bytes; page faults do not move it
};

// The line without a newline.
std::string kernel_log_line(const KernelLogSubject& subject, const Submission& wish,
                            std::uint64_t pages_read);

}  // namespace seekahead
