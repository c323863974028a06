// How one configuration (a scenario, or one point of its sweep) is read from its tree. Internal to
// sim/scenario: users call load_scenario(). The sections are read in the order of load(); each has its file,
// load_*.cpp.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/document.hpp"
#include "sim/scenario/drive_file.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/table_reader.hpp"

namespace seekahead {

// The readahead limit as written: in pages, and where.
struct ReadaheadLimit {
  std::uint64_t pages = 0;
  const Node* node = nullptr;
};

class Loader {
 public:
  // `root`, `registry` and `drive_files` must outlive the loader. `incomplete`: parts could not be read, so
  // that unknown names may be known there. `has_overrides`: keys of the files may have lost their effect by
  // --set.
  Loader(const Node& root, bool incomplete, bool has_overrides, const Registry& registry,
         DriveFiles& drive_files, Diagnostics& diagnostics)
      : root_(root),
        incomplete_(incomplete),
        has_overrides_(has_overrides),
        registry_(registry),
        drive_files_(drive_files),
        diagnostics_(diagnostics) {}

  // Reports problems to the diagnostics; the result is meaningful only if ok().
  Scenario load();
  bool ok() const { return ok_; }
  // Keys that were given without having any effect on this configuration; no problem if they have one at
  // another point of the sweep.
  const Diagnostics& without_effect() const { return without_effect_; }

 private:
  // What is known of a [[device]] besides its configuration.
  struct DeviceEntry {
    Node table;     // with the drive file's values filled in
    Position name;  // where it is named
    Position place;
    bool parameters_ok = false;
    std::optional<ReadaheadLimit> limit;
    std::unique_ptr<BlockDevice> made;
    std::string taken_by;  // the array it is a member of
    bool is_being_made = false;
    std::int64_t capacity_sectors = 0;  // 0: could not be made
  };
  struct FileEntry {
    const Node* table = nullptr;
    Position place;  // of what says where the file lies
    Position size_place;
    std::int64_t sectors = 0;
    bool is_placed = false;
  };

  void check_sections();
  void read_scenario();
  void read_machine();
  void read_readahead();
  void read_block();
  void read_writeback();

  void read_devices();
  void read_device(const Node& table);
  bool fill_from_drive(Node& table);
  std::optional<ReadaheadLimit> read_limit(TableReader& reader);
  void set_limit(DeviceConfig& config, const DeviceEntry& entry);
  void make_devices();
  void make_device(std::size_t index);
  std::unique_ptr<BlockDevice> take_member(std::size_t owner, const std::string& name);
  void refuse_keys_of_members();

  void read_files();
  void read_file(const Node& table);
  const DeviceConfig* device_of(TableReader& reader, const Node& table);
  void place(TableReader& reader, FileConfig& file, FileEntry& entry);
  std::optional<SectorNumber> start_after(const FileConfig& file, const Node* after);
  void check_fit(const FileConfig& file, const FileEntry& entry);
  void check_overlaps();

  void read_processes();
  void read_process(const Node& table);
  std::optional<std::vector<std::string>> files_of(TableReader& reader);
  bool check_file_count(const WorkloadModel& model, const std::vector<std::string>& files, const Node& table,
                        const Node& workload);

  // Children of an array of tables; reports anything else under that key.
  std::vector<const Node*> tables(const char* section);
  TableReader reader_of(const char* section);
  TableReader reader_of(const Node& table, const std::string& title);
  // The name of a table; reports a missing, strange or repeated one.
  std::string read_name(TableReader& reader, const Node& table, const char* section,
                        const std::string& fallback);
  template <class M>
  bool choose(const ModelKind<M>& kind, const Node& name, const std::string& what, Chosen<M>& chosen);
  // Tells the reader of the model that stands in the files in place of `name`, if it is another one.
  template <class M>
  void leave_old(const ModelKind<M>& kind, const Node& name, TableReader& reader);
  // Of several keys that exclude each other, the one that holds: one from --set or a sweep replaces one of a
  // file. Two of the same standing are reported.
  const Node* only_one(std::vector<const Node*> alternatives);
  void error(const Position& where, const std::string& message, const std::string& hint = "",
             std::vector<Note> notes = {});
  // A name that no element of `section` has. Says nothing when the scenario is incomplete or an element has
  // no readable name: it may be that one.
  void unknown(const char* section, const Position& where, const std::string& message,
               const std::string& hint);

  const Node& root_;
  bool incomplete_;
  bool has_overrides_;
  const Registry& registry_;
  DriveFiles& drive_files_;
  Diagnostics& diagnostics_;
  Diagnostics without_effect_;
  bool ok_ = true;
  Scenario scenario_;
  std::optional<ReadaheadLimit> limit_;  // of [readahead]
  std::uint64_t default_ra_pages_ = 32;
  std::deque<DeviceEntry> devices_;  // parallel to scenario_.devices; grows without moving
  std::deque<FileEntry> files_;      // parallel to scenario_.files
  std::map<std::string, std::map<std::string, Position>> names_;  // by section
  std::set<std::string> nameless_;  // sections with elements whose name could not be read
  std::map<std::string, std::shared_ptr<void>> buses_;
  std::deque<Random> randoms_;
};

template <class M>
bool Loader::choose(const ModelKind<M>& kind, const Node& name, const std::string& what, Chosen<M>& chosen) {
  chosen.model = kind.find(name.text);
  if (chosen.model == nullptr) {
    error(name.where, "unknown " + what + " " + in_quotes(name.text),
          suggestion(name.text, names_of(kind), "names"));
    return false;
  }
  chosen.parameters = chosen.model->parameters();
  return true;
}

template <class M>
void Loader::leave_old(const ModelKind<M>& kind, const Node& name, TableReader& reader) {
  const M* old = name.is_override && name.replaced != name.text ? kind.find(name.replaced) : nullptr;
  if (old != nullptr) {
    const std::unique_ptr<Parameters> parameters = old->parameters();
    reader.replaces(*parameters, standing_of(name));
  }
}

}  // namespace seekahead
