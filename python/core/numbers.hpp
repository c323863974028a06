// Whole numbers from 0 to 2^64-1 as arguments, with a message of their own for those that are not.
#pragma once

#include <cstdint>
#include <string>

#include "python/core/bindings.hpp"

namespace seekahead::python {

struct Whole {
  std::uint64_t value = 0;
};

}  // namespace seekahead::python

namespace pybind11::detail {

template <>
struct type_caster<seekahead::python::Whole> {
  PYBIND11_TYPE_CASTER(seekahead::python::Whole, const_name("int"));

  bool load(handle source, bool) {
    PyObject* number = source.ptr();
    object index;  // numpy's integers and the like
    if (!PyLong_Check(number)) {
      index = reinterpret_steal<object>(PyNumber_Index(number));
      number = index.ptr();
    }
    if (number == nullptr) {
      PyErr_Clear();
      return false;
    }
    value.value = PyLong_AsUnsignedLongLong(number);
    if (value.value == ~std::uint64_t{0} && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw value_error("pages, positions and counts are whole numbers from 0 to 2^64-1, not " +
                        std::string(str(source)));
    }
    return true;
  }
  static handle cast(seekahead::python::Whole source, return_value_policy, handle) {
    return PyLong_FromUnsignedLongLong(source.value);
  }
};

}  // namespace pybind11::detail
