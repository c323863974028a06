// [[device]]: drives of the catalogue, models, readahead limits, arrays and their members.
#include <algorithm>
#include <exception>
#include <utility>

#include "sim/scenario/drive_catalogue.hpp"
#include "sim/scenario/echo.hpp"
#include "sim/scenario/loader.hpp"

namespace seekahead {

namespace {

constexpr std::int64_t most_ra_pages = 1 << 20;  // 4 GiB
constexpr std::size_t most_hints = 200;          // more problems are not printed

// Keys of every [[device]], whatever its model.
struct DeviceCommon : Parameters {
  std::string channel;
  TimeNs host_turnaround_ns = 0;
  void visit(ParameterVisitor& v) override {
    v.time("host_turnaround", host_turnaround_ns, {0, ns_per_s},
           "from the end of a transfer to the next command reaching the drive");
    v.enter("bus");
    v.text("channel", channel, "drives that name the same channel take turns, a command at a time (IDE)");
    v.leave();
  }
};

struct LimitUnit {
  const char* key;
  std::int64_t per_page;
  const char* what;
};
constexpr LimitUnit limit_units[] = {
    {"read_ahead_kb", 4, "KiB"}, {"setra", 8, "sectors of 512 bytes"}, {"max_readahead", 1, "pages"}};

std::string limit_echo(std::uint64_t pages) {
  return std::to_string(pages) + " pages = " + std::to_string(pages * 4) + " KiB = setra " +
         std::to_string(pages * 8);
}

// The message of an exception without its last lines: a drive file's problems come with snippets and a sum.
std::string first_lines(const std::string& text) {
  const std::size_t first = text.find('\n');
  if (first == std::string::npos) {
    return text;
  }
  return text.substr(0, first) + " " + text.substr(first + 1, text.find('\n', first + 1) - first - 1);
}

// The model of a drive that is not used; empty: not known.
std::string model_of_drive(const Node& drive, DriveFiles& files) {
  Diagnostics unused;
  const Document* document = files.read(drive.text, drive.where, unused);
  const Node* model = document == nullptr ? nullptr : document->root.find("model");
  return model == nullptr ? "" : model->text;
}

void forget(Node& table, const std::string& path, const std::set<std::string>& names, Standing standing) {
  std::erase_if(table.children, [&](Node& child) {
    const std::string dotted = path + child.key;
    if (child.is_table() && !names.contains(dotted)) {
      forget(child, dotted + ".", names, standing);
      return child.children.empty();
    }
    return names.contains(dotted) && standing_of(child) < standing;
  });
}

// Takes away what is said of a model's parameters with less standing than that which replaces the model.
void forget_parameters(Node& table, Parameters& parameters, Standing standing) {
  std::set<std::string> names;
  for (const Description& parameter : describe(parameters)) {
    names.insert(parameter.name);
  }
  forget(table, "", names, standing);
}

void mark_default(Node& node) {
  node.is_default = true;
  for (Node& child : node.children) {
    mark_default(child);
  }
}

}  // namespace

std::optional<ReadaheadLimit> Loader::read_limit(TableReader& reader) {
  std::vector<const Node*> given;
  for (const LimitUnit& unit : limit_units) {
    given.push_back(reader.take(unit.key));
  }
  const Node* node = only_one(given);
  if (node == nullptr) {
    return std::nullopt;
  }
  const LimitUnit& unit = *std::find_if(std::begin(limit_units), std::end(limit_units),
                                        [&](const LimitUnit& u) { return node->key == u.key; });
  const std::int64_t highest = most_ra_pages * unit.per_page;
  if (node->kind != Node::Kind::integer) {
    error(node->where, node->key + " must be a bare whole number (" + unit.what + "), not " +
                           (node->is_text() ? in_quotes(node->text) : kind_name(*node)));
  } else if (node->integer < 0 || node->integer > highest) {
    error(node->where, node->key + " is " + std::to_string(node->integer) + ", but must be 0 to " +
                           std::to_string(highest) + " " + unit.what);
  } else if (node->integer % unit.per_page != 0) {
    error(node->where, node->key + " must be a multiple of " + std::to_string(unit.per_page) + " " +
                           unit.what + ", the page");
  } else {
    return ReadaheadLimit{static_cast<std::uint64_t>(node->integer / unit.per_page), node};
  }
  return std::nullopt;
}

void Loader::set_limit(DeviceConfig& config, const DeviceEntry& entry) {
  config.ra_pages = entry.limit ? entry.limit->pages : limit_ ? limit_->pages : default_ra_pages_;
  config.readahead_echo = limit_echo(config.ra_pages);
}

bool Loader::fill_from_drive(Node& table) {
  Node* drive = table.find("drive");
  if (drive == nullptr) {
    return true;
  }
  Node* model = table.find("model");
  const Node* chosen = only_one({drive, model});
  if (chosen == nullptr || chosen == model) {
    if (chosen == model) {
      model->replaced = drive->is_text() ? model_of_drive(*drive, drive_files_) : "";
      table.children.erase(table.children.begin() + (drive - table.children.data()));
    }
    return chosen != nullptr;
  }
  if (const DeviceModel* old = model == nullptr ? nullptr : registry_.devices.find(model->text)) {
    forget_parameters(table, *old->parameters(), standing_of(*drive));
    drive = table.find("drive");
  }
  if (!drive->is_text() || drive->text.empty()) {
    error(drive->where, "drive must be the id of a drive or the path of a drive file, not " +
                            (drive->is_text() ? std::string("an empty text") : kind_name(*drive)));
    return false;
  }
  const Document* document = drive_files_.read(drive->text, drive->where, diagnostics_);
  if (document == nullptr) {
    ok_ = false;
    return false;
  }
  Node defaults = document->root;
  std::erase_if(defaults.children, [](const Node& node) {
    return node.key == "name" || node.key == "description" || node.key == "source";
  });
  const Position place = drive->where;
  std::erase_if(table.children, [&](const Node& node) { return node.key == "drive" || node.key == "model"; });
  if (defaults.find("model") == nullptr) {
    error(place, "the drive file has no model");
    return false;
  }
  mark_default(defaults);
  merge_under(table, defaults, false, diagnostics_);
  return true;
}

void Loader::read_device(const Node& written) {
  DeviceEntry& entry = devices_.emplace_back();
  DeviceConfig& config = scenario_.devices.emplace_back();
  entry.table = written;
  entry.place = written.key_where;
  const bool filled = fill_from_drive(entry.table);
  TableReader reader = reader_of(entry.table, "[[device]]");
  config.name = read_name(reader, entry.table, "device", "");
  const Node* name = entry.table.find("name");
  entry.name = name == nullptr ? entry.place : name->where;
  entry.limit = read_limit(reader);
  DeviceCommon common;
  reader.read(common);
  config.channel = common.channel;
  config.host_turnaround_ns = common.host_turnaround_ns;
  if (!filled) {
    return;
  }
  const Node* model = reader.take_text("model");
  if (model == nullptr) {
    if (entry.table.find("model") == nullptr) {
      reader.missing("drive or model", suggestion("", drive_ids(), "drives") + "; " +
                                           suggestion("", names_of(registry_.devices), "models"));
    }
    return;
  }
  if (!choose(registry_.devices, *model, "device model", config.device)) {
    return;
  }
  leave_old(registry_.devices, *model, reader);
  reader.read(*config.device.parameters);
  reader.finish();
  entry.parameters_ok = reader.ok();
}

void Loader::read_devices() {
  const std::vector<const Node*> written = tables("device");
  scenario_.devices.reserve(written.size());
  for (const Node* table : written) {
    read_device(*table);
  }
  if (written.empty() && root_.find("device") == nullptr) {
    unknown("device", root_.where, "there is no [[device]]", "a scenario needs at least one");
  }
  make_devices();
  bool has_effect = !limit_ || written.empty();
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    set_limit(scenario_.devices[i], devices_[i]);
    const std::optional<ReadaheadLimit>& own = devices_[i].limit;
    const bool is_replaced = own && limit_ && standing_of(*own->node) > standing_of(*limit_->node);
    has_effect = has_effect || is_replaced || (!own && devices_[i].taken_by.empty());
  }
  if (!has_effect) {
    const DeviceEntry& first = devices_.front();
    error(limit_->node->key_where,
          limit_->node->key + " of [readahead] has no effect: every [[device]] has its own", "",
          {{first.limit ? first.limit->node->key_where : first.place, "such as this one"}});
  }
}

void Loader::make_devices() {
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    make_device(i);
  }
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    scenario_.devices[i].is_member = !devices_[i].taken_by.empty();
  }
  refuse_keys_of_members();
  for (DeviceEntry& entry : devices_) {
    entry.made.reset();
  }
}

// Makes the device to learn its capacity and whether an array finds its members. The run makes its own.
void Loader::make_device(std::size_t index) {
  DeviceEntry& entry = devices_[index];
  const DeviceConfig& config = scenario_.devices[index];
  if (!entry.parameters_ok || entry.made != nullptr || !entry.taken_by.empty()) {
    return;
  }
  entry.is_being_made = true;
  randoms_.emplace_back(scenario_.seed, "device." + config.name);
  DeviceContext context;
  context.name = config.name;
  context.random = &randoms_.back();
  context.buses = &buses_;
  context.take_member = [this, index](const std::string& name) { return take_member(index, name); };
  context.make_drive = scenario_.make_drive;
  const std::size_t before = diagnostics_.count();
  try {
    entry.made = config.device.make(context);
    entry.capacity_sectors = entry.made == nullptr ? 0 : entry.made->capacity_sectors();
  } catch (const std::exception& problem) {
    if (diagnostics_.count() == before) {
      error(entry.name,
            "device " + in_quotes(config.name) + " cannot be made: " + first_lines(problem.what()));
    }
    ok_ = false;
  }
  entry.is_being_made = false;
}

std::unique_ptr<BlockDevice> Loader::take_member(std::size_t owner, const std::string& name) {
  const std::string& array = scenario_.devices[owner].name;
  const Position& where = devices_[owner].name;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    DeviceEntry& member = devices_[i];
    if (scenario_.devices[i].name != name) {
      continue;
    }
    if (i == owner || member.is_being_made) {
      error(where, "device " + in_quotes(array) + " cannot be built from " + in_quotes(name) +
                       ", which is built from it");
      return nullptr;
    }
    if (!member.taken_by.empty()) {
      error(where, "device " + in_quotes(name) + " is a member of " + in_quotes(array) + " and of " +
                       in_quotes(member.taken_by));
      return nullptr;
    }
    make_device(i);
    member.taken_by = array;
    scenario_.devices[owner].built_from.push_back(name);
    return std::move(member.made);
  }
  std::vector<std::string> names;
  if (diagnostics_.count() < most_hints) {
    for (const DeviceConfig& device : scenario_.devices) {
      names.push_back(device.name);
    }
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(owner));
  }
  unknown("device", where,
          "device " + in_quotes(array) + " is built from the unknown device " + in_quotes(name),
          names.empty() ? "" : suggestion(name, names, "devices"));
  return nullptr;
}

// A member has no queue and no files of its own.
void Loader::refuse_keys_of_members() {
  for (const DeviceEntry& entry : devices_) {
    if (entry.taken_by.empty()) {
      continue;
    }
    const Node* bus = entry.table.find("bus");
    const Node* refused[] = {entry.limit ? entry.limit->node : nullptr, entry.table.find("host_turnaround"),
                             bus == nullptr ? nullptr : bus->find("channel")};
    for (const Node* node : refused) {
      if (node != nullptr) {
        error(node->key_where, node->key + " has no effect on a member of " + in_quotes(entry.taken_by),
              "give it to " + in_quotes(entry.taken_by));
      }
    }
  }
}

}  // namespace seekahead
