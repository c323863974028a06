#include "sim/scenario/echo.hpp"

#include <set>
#include <utility>

#include "sim/scenario/parameter_value.hpp"

namespace seekahead {

namespace {

class EchoVisitor final : public ParameterVisitor {
 public:
  // `left_out` holds dotted names.
  EchoVisitor(Node& table, std::set<std::string> left_out) : left_out_(std::move(left_out)) {
    open_.push_back(std::move(table));
  }
  Node result() { return std::move(open_.front()); }

  void enter(std::string_view group) override { open(group, Node()); }
  void leave() override { close(); }

 private:
  void visit(const Parameter& parameter) override {
    if (!left_out_.contains(paths_.back() + std::string(parameter.name))) {
      open_.back().set(std::string(parameter.name), value_of(parameter));
    }
  }
  std::size_t begin_rows(std::string_view name, std::size_t count, std::string_view,
                         std::string_view) override {
    open(name, Node::make_array());
    return count;
  }
  void begin_row(std::size_t index) override {
    open_.emplace_back();
    paths_.push_back(paths_.back() + std::to_string(index) + ".");
  }
  void end_row() override {
    paths_.pop_back();
    Node row = std::move(open_.back());
    open_.pop_back();
    open_.back().children.push_back(std::move(row));
  }
  void end_rows() override { close(); }

  // Groups may be entered again by another struct of the same table: [device.bus] has keys of both.
  void open(std::string_view name, Node fresh) {
    const Node* present = fresh.is_table() ? open_.back().find(name) : nullptr;
    Node node = present != nullptr ? *present : std::move(fresh);
    node.key = std::string(name);
    open_.push_back(std::move(node));
    paths_.push_back(paths_.back() + std::string(name) + ".");
  }
  void close() {
    paths_.pop_back();
    Node node = std::move(open_.back());
    open_.pop_back();
    const std::string name = node.key;
    const bool is_left_out =
        left_out_.contains(paths_.back() + name) || (node.is_table() && node.children.empty());
    if (!is_left_out) {
      open_.back().set(name, std::move(node));
    }
  }

  std::set<std::string> left_out_;
  std::vector<Node> open_;
  std::vector<std::string> paths_ = {""};
};

class DescribeVisitor final : public ParameterVisitor {
 public:
  std::vector<Description> result;

  void enter(std::string_view group) override { paths_.push_back(paths_.back() + std::string(group) + "."); }
  void leave() override { paths_.pop_back(); }

 private:
  void visit(const Parameter& parameter) override {
    result.push_back({paths_.back() + std::string(parameter.name), type_text(parameter),
                      value_text(value_of(parameter)), range_text(parameter), std::string(parameter.help),
                      std::string(parameter.source), parameter.required});
  }
  std::size_t begin_rows(std::string_view name, std::size_t count, std::string_view help,
                         std::string_view source) override {
    result.push_back({paths_.back() + std::string(name), "a list of tables",
                      count == 0 ? "[]" : std::to_string(count) + " rows", "", std::string(help),
                      std::string(source), false});
    paths_.push_back(paths_.back() + std::string(name) + "[].");
    return describe_rows;
  }
  void begin_row(std::size_t) override {}
  void end_row() override {}
  void end_rows() override { paths_.pop_back(); }

  std::vector<std::string> paths_ = {""};
};

}  // namespace

void echo(Parameters& parameters, Node& table) {
  std::set<std::string> left_out;
  parameters.without_effect([&](std::string_view name, const std::string&) { left_out.emplace(name); });
  EchoVisitor visitor(table, std::move(left_out));
  parameters.visit(visitor);
  table = visitor.result();
}

std::vector<Description> describe(Parameters& parameters) {
  DescribeVisitor visitor;
  parameters.visit(visitor);
  return std::move(visitor.result);
}

}  // namespace seekahead
