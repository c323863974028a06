// The registry of models: everything a scenario can name. It is filled by explicit calls (models/builtin.cpp,
// plug-ins), never by static initialisers. `seekahead models`, the scenario checker, the Python classes and
// the reference documentation all read it.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/block/elevator.hpp"
#include "sim/device/block_device.hpp"
#include "sim/engine/random.hpp"
#include "sim/file/readahead_policy.hpp"
#include "sim/scenario/parameters.hpp"
#include "sim/workload/workload.hpp"

namespace seekahead {

// What every kind of model tells about itself. `parameters` makes a fresh struct with the defaults in place.
struct ModelEntry {
  std::string name;    // as a scenario writes it
  std::string help;    // one line
  std::string source;  // paper, data sheet, kernel version
  std::string plugin;  // file of the plug-in that brought it; empty: built in
  std::function<std::unique_ptr<Parameters>()> parameters;
};

template <class Product, class... Context>
struct Model : ModelEntry {
  std::function<std::unique_ptr<Product>(const Parameters&, Context...)> make;
};

// Makes a Model of a parameter struct P (default-constructible, derived from Parameters) and a function
// make(const P&, Context...) that returns a std::unique_ptr<Product>.
template <class P, class M, class Make>
// NOLINTNEXTLINE(performance-unnecessary-value-param): all are moved from
M model_of(std::string name, std::string help, std::string source, Make make) {
  M model{};
  model.name = std::move(name);
  model.help = std::move(help);
  model.source = std::move(source);
  model.parameters = [] { return std::make_unique<P>(); };
  model.make = [make](const Parameters& parameters, auto&&... context) {
    return make(dynamic_cast<const P&>(parameters), std::forward<decltype(context)>(context)...);
  };
  return model;
}

// Models of one kind, in order of registration.
template <class M>
class ModelKind {
 public:
  void add(M model) { models_.push_back(std::move(model)); }
  const M* find(std::string_view name) const {
    for (const M& model : models_) {
      if (model.name == name) {
        return &model;
      }
    }
    return nullptr;
  }
  const std::vector<M>& all() const { return models_; }

 private:
  std::vector<M> models_;
};

// What a device needs besides its parameters.
struct DeviceContext {
  std::string name;          // of the [[device]]
  Random* random = nullptr;  // the device's own stream
  // Finds (and hands over) a device that this one is built from, for arrays and partitions; null: no such
  // device.
  std::function<std::unique_ptr<BlockDevice>(const std::string& name)> take_member;
  // Makes a fresh drive of the catalogue, by id or file, for arrays whose members are all alike. Throws
  // std::runtime_error when there is no such drive or its file is wrong.
  std::function<std::unique_ptr<BlockDevice>(const std::string& id_or_file, const DeviceContext& context)>
      make_drive;
  // State shared by the devices of one bus, made by the first that asks for it; keyed by the bus's name.
  std::map<std::string, std::shared_ptr<void>>* buses = nullptr;
};

// What a workload needs besides its parameters.
struct WorkloadContext {
  std::vector<std::string> files;  // `files` of the [[process]]
  Random* random = nullptr;        // the process's own stream
};

using ReadaheadModel = Model<ReadaheadDevice, const ReadaheadLimits&>;
using ElevatorModel = Model<Elevator>;
using DeviceModel = Model<BlockDevice, const DeviceContext&>;

struct WorkloadModel : Model<Workload, const WorkloadContext&> {
  // How many files the [[process]] must and may name; checked before the run.
  std::size_t fewest_files = 1;
  std::size_t most_files = std::numeric_limits<std::size_t>::max();
};

struct Registry {
  ModelKind<ReadaheadModel> readahead;
  ModelKind<ElevatorModel> elevators;
  ModelKind<DeviceModel> devices;
  ModelKind<WorkloadModel> workloads;
};

}  // namespace seekahead
