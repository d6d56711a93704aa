// Methods of Python's strings, lists and mappings that templates call.
#pragma once

#include <string_view>

#include "engine/jinja/runtime.h"

namespace emptor::engine::jinja {

/// Whether values of that kind have the method, also one that templates may not call because it
/// changes its object.
bool HasMethod(const Value& self, std::string_view name);

/// Fails on wrong arguments, and on methods that change their object.
Value CallMethod(Runtime& run, const Method& method, const Arguments& arguments);

/// Parts that the methods share with the filters.
Value StripText(Runtime& run, const Text& text, const Value* characters, Ends ends);
/// `limit` < 0: all.
Value ReplaceText(Runtime& run, const Text& text, const Text& part, const Text& with,
                  int64_t limit);
Value JoinTexts(Runtime& run, const Text& separator, const std::vector<Value>& items, bool convert);
Value DictItems(Runtime& run, const Dict& dict);
/// Whether an argument was left out or is none.
bool Absent(const Value* value);

}  // namespace emptor::engine::jinja
