// What a process may tell the kernel about its accesses.
#pragma once

namespace seekahead {

enum class FileAdvice { normal, random, sequential, willneed, dontneed, noreuse };  // posix_fadvise

enum class MapHint { normal, random, sequential };  // madvise of the whole mapping

}  // namespace seekahead
