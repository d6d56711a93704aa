// Filters (`value | name(...)`) and tests (`value is name(...)`) by name.
#pragma once

#include <string_view>
#include <vector>

#include "engine/jinja/runtime.h"

namespace emptor::engine::jinja {

struct Filter {
  std::string_view name;
  Value (*function)(Runtime& run, const Value& input, const Arguments& arguments);
  /// The parameters' names; more arguments than these are refused unless it is variadic.
  std::vector<std::string_view> parameters;
  bool variadic = false;

  Value Call(Runtime& run, const Value& input, const Arguments& arguments) const;
};

struct Test {
  std::string_view name;
  bool (*function)(Runtime& run, const Value& input, const Value& argument);
  bool takes_argument = false;

  bool Holds(Runtime& run, const Value& input, const Arguments& arguments) const;
};

/// Null for a name that is not known.
const Filter* FindFilter(std::string_view name);
const Test* FindTest(std::string_view name);

}  // namespace emptor::engine::jinja
