// Charging.
#include "engine/jinja/runtime.h"

#include <algorithm>

#include "fmt/format.h"

namespace emptor::engine::jinja {

Value Runtime::Fail(std::string_view what) {
  if (error_.empty()) error_ = fmt::format("line {}: {}", line_, what);
  return {};
}

bool Runtime::Spend(size_t steps) {
  if (failed()) return false;
  steps_ += std::min(steps, limits_.max_steps + 1);
  if (steps_ > limits_.max_steps) {
    Fail(fmt::format("takes more than {} steps", limits_.max_steps));
    return false;
  }
  return true;
}

bool Runtime::SpendBytes(size_t bytes) {
  if (failed()) return false;
  bytes_ += std::min(bytes, limits_.max_made_bytes + 1);
  if (bytes_ > limits_.max_made_bytes) {
    Fail(fmt::format("makes more than {} bytes of values", limits_.max_made_bytes));
    return false;
  }
  return true;
}

Value Runtime::Checked(Value value) {
  if (failed()) return {};
  if (value.depth() > limits_.max_value_depth) {
    return Fail(fmt::format("values nested deeper than {}", limits_.max_value_depth));
  }
  return value;
}

Value Runtime::NewText(Text text) {
  return SpendBytes(text.weight() + 64) ? Value(std::move(text)) : Value();
}

Value Runtime::NewList(std::vector<Value> items, bool tuple) {
  if (!SpendBytes(items.size() * sizeof(Value) + 64)) return {};
  return Checked(Value::ListOf(std::move(items), tuple));
}

Value Runtime::NewDict(std::vector<std::pair<Value, Value>> entries) {
  if (!SpendBytes(entries.size() * 2 * sizeof(Value) + 64)) return {};
  return Checked(Value::DictOf(std::move(entries)));
}

std::string Quote(std::string_view name) { return fmt::format("{:?}", name.substr(0, 64)); }

size_t Arguments::text_bytes() const {
  size_t bytes = 0;
  const auto add = [&](const Value& value) {
    if (const Text* text = value.text()) bytes += text->size();
  };
  for (const Value& value : positional) add(value);
  for (const auto& [name, value] : named) add(value);
  return bytes;
}

const Value* Arguments::Find(size_t place, std::string_view name) const {
  if (place < positional.size()) return &positional[place];
  for (const auto& [given, value] : named) {
    if (given == name) return &value;
  }
  return nullptr;
}

bool Arguments::Fit(Runtime& run, std::string_view callee,
                    const std::vector<std::string_view>& names) const {
  if (positional.size() > names.size()) {
    run.Fail(fmt::format("{}: expected at most {} arguments, found {}", callee, names.size(),
                         positional.size()));
    return false;
  }
  for (const auto& [name, value] : named) {
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end() || static_cast<size_t>(place - names.begin()) < positional.size()) {
      run.Fail(fmt::format("{}: unexpected argument {}", callee, name));
      return false;
    }
  }
  return true;
}

}  // namespace emptor::engine::jinja
