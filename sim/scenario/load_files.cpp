// [[file]]: where each file lies. Files are contiguous and occupy whole pages.
#include <algorithm>
#include <optional>
#include <utility>

#include "sim/scenario/loader.hpp"
#include "sim/scenario/quantities.hpp"

namespace seekahead {

namespace {

struct FileSize : Parameters {
  std::int64_t bytes = 0;
  void visit(ParameterVisitor& v) override {
    v.bytes("size", bytes, {1, std::int64_t{1} << 50}, "size of the file");
  }
};

struct Placement : Parameters {
  double percent = 0;
  std::int64_t sector = 0;
  std::int64_t distance_bytes = 0;
  void visit(ParameterVisitor& v) override {
    v.percent("position", percent, {0, 100}, "where the file begins, as a share of the device");
    v.sectors("sector", sector, {0, std::int64_t{1} << 43}, "first sector of the file");
    v.bytes("distance", distance_bytes, {0, std::int64_t{1} << 50},
            "free space between the end of the file named in `after` and the beginning of this one");
  }
};

std::string sectors_text(std::int64_t sectors) {
  return format_quantity(Dimension::bytes, sectors * sector_bytes) + " (" + std::to_string(sectors) +
         " sectors)";
}

}  // namespace

void Loader::read_files() {
  const std::vector<const Node*> written = tables("file");
  scenario_.files.reserve(written.size());
  for (const Node* table : written) {
    read_file(*table);
  }
  check_overlaps();
}

const DeviceConfig* Loader::device_of(TableReader& reader, const Node& table) {
  std::vector<std::string> names;
  for (const DeviceConfig& device : scenario_.devices) {
    if (!device.is_member && !device.name.empty()) {
      names.push_back(device.name);
    }
  }
  const Node* node = reader.take_text("device");
  if (node == nullptr && table.find("device") != nullptr) {
    return nullptr;
  }
  if (node == nullptr && names.size() != 1) {
    if (!nameless_.contains("device")) {
      reader.missing("device", suggestion("", names, "devices"));
    }
    return nullptr;
  }
  const std::string& name = node == nullptr ? names.front() : node->text;
  for (const DeviceConfig& device : scenario_.devices) {
    if (device.name != name) {
      continue;
    }
    if (!device.is_member) {
      return &device;
    }
    error(node->where, "device " + in_quotes(name) + " is part of another device and holds no files itself",
          suggestion("", names, "devices"));
    return nullptr;
  }
  unknown("device", node->where, "unknown device " + in_quotes(name), suggestion(name, names, "devices"));
  return nullptr;
}

void Loader::read_file(const Node& table) {
  FileConfig file;
  FileEntry entry;
  entry.table = &table;
  TableReader reader = reader_of(table, "[[file]]");
  file.name = read_name(reader, table, "file", "");
  const DeviceConfig* device = device_of(reader, table);
  file.device = device == nullptr ? "" : device->name;
  FileSize size;
  const bool size_ok = reader.read(size);
  if (table.find("size") == nullptr) {
    reader.missing("size", "as in size = \"512 MiB\"");
  }
  file.size_bytes = size.bytes;
  entry.sectors =
      static_cast<std::int64_t>(pages_for(static_cast<std::uint64_t>(size.bytes))) * sectors_per_page;
  entry.size_place = reader.position_of("size");
  entry.place = table.key_where;
  if (device != nullptr && size_ok && size.bytes > 0) {
    place(reader, file, entry);
  } else {
    Placement unused;  // its keys are checked all the same
    reader.read(unused);
    reader.take_text("after");
  }
  reader.finish();
  if (entry.is_placed) {
    check_fit(file, entry);
  }
  files_.push_back(std::move(entry));
  scenario_.files.push_back(std::move(file));
}

void Loader::place(TableReader& reader, FileConfig& file, FileEntry& entry) {
  Placement placement;
  const Node* after = reader.take_text("after");
  const bool good = reader.read(placement);
  const Node* position = entry.table->find("position");
  const Node* sector = entry.table->find("sector");
  const Node* distance = entry.table->find("distance");
  const bool relative = distance != nullptr || after != nullptr;
  const bool after_stands_higher =
      distance != nullptr && after != nullptr && standing_of(*after) > standing_of(*distance);
  const Node* chosen =
      only_one({position, sector, distance == nullptr || after_stands_higher ? after : distance});
  if (!good || (chosen == nullptr && (position != nullptr || sector != nullptr || relative))) {
    return;
  }
  const auto device = std::find_if(scenario_.devices.begin(), scenario_.devices.end(),
                                   [&](const DeviceConfig& d) { return d.name == file.device; });
  const std::int64_t capacity =
      devices_[static_cast<std::size_t>(device - scenario_.devices.begin())].capacity_sectors;
  if (capacity == 0) {
    return;  // the device could not be made, which has been said
  }
  if (chosen != nullptr) {
    entry.place = chosen->where;
  }
  if (chosen != nullptr && chosen == sector) {
    file.start_sector = placement.sector;
  } else if (chosen != nullptr && chosen == position) {
    const double share = static_cast<double>(capacity) * placement.percent / 100;
    file.start_sector = static_cast<std::int64_t>(share) / sectors_per_page * sectors_per_page;
  } else {
    const std::optional<SectorNumber> start = start_after(file, after);
    if (!start) {
      return;
    }
    // Free space is counted in whole pages, as the files are.
    const auto pages =
        static_cast<std::int64_t>(pages_for(static_cast<std::uint64_t>(placement.distance_bytes)));
    file.start_sector = *start + pages * sectors_per_page;
  }
  entry.is_placed = true;
}

// End of the file that this one follows: the one named in `after`, else the last one before it on its device.
std::optional<SectorNumber> Loader::start_after(const FileConfig& file, const Node* after) {
  std::vector<std::string> names;
  for (std::size_t i = files_.size(); i-- > 0;) {
    const FileConfig& other = scenario_.files[i];
    names.push_back(other.name);
    if (after == nullptr ? other.device != file.device : other.name != after->text) {
      continue;
    }
    if (other.device != file.device) {
      error(after->where,
            "file " + in_quotes(after->text) + " lies on another device, " + in_quotes(other.device));
      return std::nullopt;
    }
    return files_[i].is_placed ? std::optional(other.start_sector + files_[i].sectors) : std::nullopt;
  }
  if (after == nullptr) {
    return 0;
  }
  unknown("file", after->where, "there is no file " + in_quotes(after->text) + " above this one",
          suggestion(after->text, names, "files"));
  return std::nullopt;
}

void Loader::check_fit(const FileConfig& file, const FileEntry& entry) {
  std::size_t index = 0;
  while (scenario_.devices[index].name != file.device) {
    ++index;
  }
  const std::int64_t capacity = devices_[index].capacity_sectors;
  const std::vector<Note> notes = {
      {devices_[index].name, "device " + in_quotes(file.device) + " holds " + sectors_text(capacity)}};
  if (entry.sectors > capacity) {
    error(entry.size_place, "file " + in_quotes(file.name) + " is larger than its device", "", notes);
  } else if (file.start_sector > capacity - entry.sectors) {
    error(entry.place,
          "file " + in_quotes(file.name) + " of " + sectors_text(entry.sectors) +
              " does not fit behind sector " + std::to_string(file.start_sector),
          "the last that fits is " + std::to_string(capacity - entry.sectors), notes);
  }
}

void Loader::check_overlaps() {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].is_placed) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const FileConfig& left = scenario_.files[a];
    const FileConfig& right = scenario_.files[b];
    return std::pair(left.device, left.start_sector) < std::pair(right.device, right.start_sector);
  });
  // The file that reaches furthest so far is the one that a later start may fall into.
  for (std::size_t i = 1, reach = order.empty() ? 0 : order[0]; i < order.size(); ++i) {
    const FileConfig& before = scenario_.files[reach];
    const FileConfig& file = scenario_.files[order[i]];
    const std::int64_t end = before.start_sector + files_[reach].sectors;
    if (before.device == file.device && file.start_sector < end) {
      const std::size_t later = std::max(reach, order[i]);
      const std::size_t earlier = std::min(reach, order[i]);
      error(files_[later].place,
            "file " + in_quotes(scenario_.files[later].name) + " overlaps file " +
                in_quotes(scenario_.files[earlier].name) + " by " +
                sectors_text(std::min(end, file.start_sector + files_[order[i]].sectors) - file.start_sector),
            "", {{files_[earlier].place, "the other file"}});
    }
    if (before.device != file.device || file.start_sector + files_[order[i]].sectors > end) {
      reach = order[i];
    }
  }
}

}  // namespace seekahead
