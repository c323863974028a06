// What is always recorded of readahead submissions, over all files of the run: the table of events by class
// and the 2.4 profile.
#pragma once

#include "sim/observe/readahead_events.hpp"
#include "sim/observe/readahead_profile.hpp"

namespace seekahead {

struct SubmissionRecord {
  ReadaheadEvents events;
  ReadaheadProfile profile;

  void submitted(const ReadaheadPolicy& policy, const Submission& wish, std::uint64_t pages_read,
                 PageIndex file_end) {
    events.submitted(wish, pages_read, file_end);
    profile.submitted(policy, wish, pages_read);
  }
};

}  // namespace seekahead
