#include "models/elevator/merge_index.hpp"

namespace seekahead {

namespace {
std::uint32_t segments_of(const Bio& bio) {
  return static_cast<std::uint32_t>(bio.sectors / sectors_per_page);
}
}  // namespace

bool MergeIndex::fits(const Request& request, std::int64_t sectors, std::uint32_t segments,
                      const MergeLimits& limits) {
  return request.sectors + sectors <= limits.max_sectors &&
         request.segments + segments <= limits.max_segments;
}

Request* MergeIndex::at(const Map& map, SectorNumber key) const {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : found->second;
}

Merge MergeIndex::find(const Bio& bio, const MergeLimits& limits, bool front_merges) {
  const SectorNumber bio_end = bio.start + bio.sectors;
  const auto try_one = [&](Request* request) -> Merge {
    if (request == nullptr || request->is_write != bio.is_write ||
        !fits(*request, bio.sectors, segments_of(bio), limits)) {
      return {};
    }
    if (request->end() == bio.start) {
      return {MergeKind::back, request};
    }
    if (front_merges && request->start == bio_end) {
      return {MergeKind::front, request};
    }
    return {};
  };
  Merge merge = try_one(last_merged_);
  if (merge.kind == MergeKind::none) {
    merge = try_one(at(by_end_[bio.is_write ? 1 : 0], bio.start));
  }
  if (merge.kind == MergeKind::none && front_merges) {
    merge = try_one(at(by_start_[bio.is_write ? 1 : 0], bio_end));
  }
  return merge;
}

Request* MergeIndex::grown(Request& request, const Bio& bio, MergeKind kind, const MergeLimits& limits) {
  const int d = request.is_write ? 1 : 0;
  last_merged_ = &request;
  Request* neighbour = nullptr;
  if (kind == MergeKind::back) {
    erase(by_end_[d], bio.start, request);
    by_end_[d].emplace(request.end(), &request);
    neighbour = at(by_start_[d], request.end());
  } else {
    erase(by_start_[d], bio.start + bio.sectors, request);
    by_start_[d].emplace(request.start, &request);
    neighbour = at(by_end_[d], request.start);
  }
  if (neighbour == nullptr || !fits(request, neighbour->sectors, neighbour->segments, limits)) {
    return nullptr;
  }
  // The queue joins the two after this call; the index already shows the joined request.
  remove(*neighbour);
  if (kind == MergeKind::back) {
    erase(by_end_[d], request.end(), request);
    by_end_[d].emplace(neighbour->end(), &request);
  } else {
    erase(by_start_[d], request.start, request);
    by_start_[d].emplace(neighbour->start, &request);
  }
  return neighbour;
}

void MergeIndex::add(Request& request) {
  const int d = request.is_write ? 1 : 0;
  by_start_[d].emplace(request.start, &request);
  by_end_[d].emplace(request.end(), &request);
}

void MergeIndex::remove(Request& request) {
  const int d = request.is_write ? 1 : 0;
  erase(by_start_[d], request.start, request);
  erase(by_end_[d], request.end(), request);
  if (last_merged_ == &request) {
    last_merged_ = nullptr;
  }
}

void MergeIndex::erase(Map& map, SectorNumber key, const Request& request) {
  for (auto [it, end] = map.equal_range(key); it != end; ++it) {
    if (it->second == &request) {
      map.erase(it);
      return;
    }
  }
}

}  // namespace seekahead
