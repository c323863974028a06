// Fills parameters from one table of a scenario, e.g. [machine] or a [[device]]. Every problem is reported
// with its place: wrong types, units and ranges, rules between parameters, and keys that nobody read.
//
//     TableReader reader(table, "[machine]", fallback, diagnostics);
//     reader.read(machine);
//     reader.finish();
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/node.hpp"
#include "sim/scenario/override_rules.hpp"
#include "sim/scenario/parameters.hpp"

namespace seekahead {

class TableReader final : private ParameterVisitor {
 public:
  // `table` null: the scenario does not have it, all parameters keep their defaults. `title` names it in
  // messages; `fallback` is where a missing key is reported.
  TableReader(const Node* table, std::string title, Position fallback, Diagnostics& diagnostics);

  // Keys that are given although they have no effect are reported there; without, they are not looked for.
  // `arguments_only`: an override may well leave what a file says without effect.
  void report_without_effect(Diagnostics* diagnostics, bool arguments_only) {
    without_effect_ = diagnostics;
    without_effect_of_arguments_only_ = arguments_only;
  }

  // The model whose parameters are read next has been put in place of `old` by something of this standing.
  // What less says for the old model is left aside if the new one does not know it or cannot take it.
  void replaces(Parameters& old, Standing standing);

  // May be called for several structs that share the table. False: something in it was wrong.
  bool read(Parameters& parameters);

  // A key that is read by hand; null: not there.
  const Node* take(std::string_view name);

  // Like take(), for a key that must be text; reports anything else. Null: not there or wrong.
  const Node* take_text(std::string_view name);

  // Missing keys are not reported: a part of the scenario could not be read, they may stand there.
  void tolerate_missing() { tolerates_missing_ = true; }

  // Reports a missing key.
  void missing(std::string_view name, const std::string& what);

  // Refuses the keys that nobody read. `known` false: the model is unknown, so are its keys; nothing is said.
  void finish(bool known = true);

  // The (dotted) parameter as it was written; null: it has its default.
  const Node* written(std::string_view dotted) const;

  // Where a (dotted) parameter was written, or the innermost table around it that was.
  Position position_of(std::string_view dotted) const;

  const std::string& title() const { return title_; }
  bool ok() const { return ok_; }

 private:
  struct Frame {
    const Node* node;
    std::string path;
  };

  void visit(const Parameter& parameter) override;
  void enter(std::string_view group) override;
  void leave() override { frames_.pop_back(); }
  std::size_t begin_rows(std::string_view name, std::size_t current_count, std::string_view help,
                         std::string_view source) override;
  void begin_row(std::size_t index) override;
  void end_row() override { frames_.pop_back(); }
  void end_rows() override { frames_.pop_back(); }

  const Node* look_up(std::string_view name);
  void refuse_without_effect(const Parameters& parameters);
  void push(const Node* node, std::string_view name);
  void error(const Position& where, const std::string& message, const std::string& hint = "");
  void refuse_unknown(const Node& table, const std::string& path);
  bool is_left_aside(const Node& node, const std::string& dotted) const;
  void leave_aside(const Node& node, const std::string& path, const std::vector<std::string>& known);
  void unknown(const Node& node, const std::string& path, const std::vector<std::string>& known);

  const Node* table_;
  std::string title_;
  Position fallback_;
  Diagnostics& diagnostics_;
  Diagnostics* without_effect_ = nullptr;
  bool without_effect_of_arguments_only_ = false;
  bool ok_ = true;
  bool tolerates_missing_ = false;
  std::vector<Frame> frames_;
  std::map<std::string, std::vector<std::string>> known_;  // keys by path of their table
  std::set<std::string> replaced_;                         // dotted keys of the model that was replaced
  Standing standing_ = Standing::text;                     // of what replaced it
};

}  // namespace seekahead
