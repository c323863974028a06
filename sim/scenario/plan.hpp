// A scenario with everything that changes it (overrides, axes of a sweep), checked as a whole and handed out
// point by point: what the faces of the program (commands, Python) run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/document.hpp"
#include "sim/scenario/scenario.hpp"

namespace seekahead {

// Makes `key` an axis of the document's sweep with these values, each written as after the equals sign of
// --set; an axis that the text has under this key is replaced. `option` is how messages call it.
void add_axis(Document& document, const std::string& key, const std::vector<std::string>& values,
              Diagnostics& diagnostics, std::string_view option = "--set");

class Plan {
 public:
  // Nothing if there are problems; they have been reported. `registry` must outlive the plan.
  static std::optional<Plan> make(Document document, std::vector<Override> overrides,
                                  const Registry& registry, Diagnostics& diagnostics);

  // The first point; its `sweep` has all of them.
  const Scenario& scenario() const { return scenario_; }

  // Points of the sweep; 1 without one.
  std::size_t points() const;
  Scenario point(std::size_t index) const;
  // The document with what it includes, as one text; without overrides.
  std::string flat_text() const { return write_toml(document_.root); }
  // Tells the point from every other configuration and version of the program: equal only if the run is the
  // same.
  std::string identity(std::size_t index) const;

 private:
  Plan(Document document, std::vector<Override> overrides, const Registry& registry, Scenario scenario);

  const Registry* registry_;
  Document document_;
  std::vector<Override> overrides_;
  Scenario scenario_;
};

}  // namespace seekahead
