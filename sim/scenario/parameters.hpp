// Parameters of a model, declared once.
//
// A model keeps its parameters in a struct with defaults in place and one function that shows each of them to
// a visitor:
//
//     struct FixedParameters : Parameters {
//       std::int64_t window_pages = 32;
//       void visit(ParameterVisitor& v) override {
//         v.pages("window", window_pages, {1, 65536}, "pages read at once", "chosen");
//       }
//     };
//
// Visitors of sim/scenario then describe the parameters (`seekahead models`), fill them from a scenario file
// with line and column in every error, echo their effective values, and refuse keys that no parameter reads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/units.hpp"

namespace seekahead {

enum class ParameterType {
  integer,  // a bare number
  real,     // a bare number with a fraction
  boolean,
  text,
  choice,   // one of a list of words
  bytes,    // "128 KiB"; held in bytes
  time,     // "8.5 ms"; held in nanoseconds
  rate,     // "100 MB/s", "100 MiB/s"; held in bytes per second
  pages,    // a bare number of 4 KiB pages
  sectors,  // a bare number of 512-byte sectors
  percent,  // "40 %"; held as 40.0
  rows,     // an array of tables, one struct a row
  list,     // an array of numbers or words
};

struct IntegerRange {
  std::int64_t low;
  std::int64_t high;
};
struct RealRange {
  double low;
  double high;
};

// One parameter as shown to a visitor. Exactly one of the pointers is set, according to `type`; visitors read
// the value as default or effective value, or assign it.
struct Parameter {
  std::string_view name;
  ParameterType type;
  std::string_view help;
  std::string_view source;  // paper, data sheet, kernel version, or "chosen"
  bool required = false;
  IntegerRange integer_range{0, 0};
  RealRange real_range{0, 0};
  std::vector<std::string_view> choices;
  std::int64_t* integer_value = nullptr;
  double* real_value = nullptr;
  bool* boolean_value = nullptr;
  std::string* text_value = nullptr;
  std::vector<double>* number_list = nullptr;
  std::vector<std::string>* text_list = nullptr;
};

class ParameterVisitor;

// Base of every parameter struct.
class Parameters {
 public:
  virtual ~Parameters() = default;
  // Shows every parameter to `v`, always in the same order.
  virtual void visit(ParameterVisitor& v) = 0;
  // Rules between parameters, called after all were read without error. Reports through `problem(name, what
  // is wrong)`; `name` is the (dotted) parameter the message should point at.
  using ProblemSink = std::function<void(std::string_view name, const std::string& message)>;
  virtual void check(const ProblemSink& problem) const { static_cast<void>(problem); }
  // Names the (dotted) parameters that the present values of the others leave without any effect, and why:
  // the rate of a bus whose mode decides it. A scenario that gives one is refused, an echo leaves it out.
  // Called after check() found nothing.
  virtual void without_effect(const ProblemSink& unused) const { static_cast<void>(unused); }
};

class ParameterVisitor {
 public:
  virtual ~ParameterVisitor() = default;

  void integer(std::string_view name, std::int64_t& value, IntegerRange range, std::string_view help,
               std::string_view source = "") {
    number(name, ParameterType::integer, value, range, help, source);
  }
  void real(std::string_view name, double& value, RealRange range, std::string_view help,
            std::string_view source = "");
  void boolean(std::string_view name, bool& value, std::string_view help, std::string_view source = "");
  void text(std::string_view name, std::string& value, std::string_view help, std::string_view source = "",
            bool required = false);
  void choice(std::string_view name, std::string& value, std::vector<std::string_view> choices,
              std::string_view help, std::string_view source = "");
  void bytes(std::string_view name, std::int64_t& value, IntegerRange range, std::string_view help,
             std::string_view source = "") {
    number(name, ParameterType::bytes, value, range, help, source);
  }
  void time(std::string_view name, TimeNs& value, IntegerRange range, std::string_view help,
            std::string_view source = "") {
    number(name, ParameterType::time, value, range, help, source);
  }
  void rate(std::string_view name, std::int64_t& value, IntegerRange range, std::string_view help,
            std::string_view source = "") {
    number(name, ParameterType::rate, value, range, help, source);
  }
  void pages(std::string_view name, std::int64_t& value, IntegerRange range, std::string_view help,
             std::string_view source = "") {
    number(name, ParameterType::pages, value, range, help, source);
  }
  void sectors(std::string_view name, std::int64_t& value, IntegerRange range, std::string_view help,
               std::string_view source = "") {
    number(name, ParameterType::sectors, value, range, help, source);
  }
  void percent(std::string_view name, double& value, RealRange range, std::string_view help,
               std::string_view source = "");
  void numbers(std::string_view name, std::vector<double>& value, RealRange range_of_each,
               std::string_view help, std::string_view source = "");
  void texts(std::string_view name, std::vector<std::string>& value, std::string_view help,
             std::string_view source = "");

  // Parameters shown between enter(name) and leave() live in the table `name` ("cache.segments").
  virtual void enter(std::string_view group) = 0;
  virtual void leave() = 0;

  // An array of tables, e.g. the zones of a disk. Row is default-constructible with `void
  // visit(ParameterVisitor&)`. A describing visitor shows one default row; a loading one replaces `rows`.
  template <class Row>
  void rows(std::string_view name, std::vector<Row>& rows, std::string_view help,
            std::string_view source = "") {
    const std::size_t count = begin_rows(name, rows.size(), help, source);
    rows.resize(count == describe_rows ? rows.size() : count);
    Row example;
    for (std::size_t i = 0; i < (count == describe_rows ? 1 : count); ++i) {
      begin_row(i);
      (count == describe_rows ? example : rows[i]).visit(*this);
      end_row();
    }
    end_rows();
  }

 protected:
  static constexpr std::size_t describe_rows = static_cast<std::size_t>(-1);

  virtual void visit(const Parameter& parameter) = 0;
  // Returns how many rows follow, or describe_rows to be shown one default row.
  virtual std::size_t begin_rows(std::string_view name, std::size_t current_count, std::string_view help,
                                 std::string_view source) = 0;
  virtual void begin_row(std::size_t index) = 0;
  virtual void end_row() = 0;
  virtual void end_rows() = 0;

 private:
  void number(std::string_view name, ParameterType type, std::int64_t& value, IntegerRange range,
              std::string_view help, std::string_view source);
};

}  // namespace seekahead
