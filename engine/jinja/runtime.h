// Budget and first error of a rendering.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/jinja/limits.h"
#include "engine/jinja/value.h"

namespace emptor::engine::jinja {

/// The budget of one rendering, the first error, and the makers of values, which charge for what
/// they make. After an error everything gives undefined and every loop ends.
/// Thread-safety: one thread.
class Runtime {
 public:
  Runtime(const Limits& limits, std::time_t now) : limits_(limits), now_(now) {}

  /// Keeps the first error, with the line that is being worked on. Gives undefined.
  Value Fail(std::string_view what);
  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }

  /// False when the budget is gone or something failed before.
  bool Spend(size_t steps = 1);
  bool SpendBytes(size_t bytes);

  Value NewText(Text text);
  Value NewList(std::vector<Value> items, bool tuple = false);
  Value NewDict(std::vector<std::pair<Value, Value>> entries);

  int line() const { return line_; }
  void set_line(int line) { line_ = line; }
  const Limits& limits() const { return limits_; }
  std::time_t now() const { return now_; }

 private:
  Value Checked(Value value);

  const Limits limits_;
  const std::time_t now_;
  size_t steps_ = 0;
  size_t bytes_ = 0;
  int line_ = 1;
  std::string error_;
};

/// The name in quotes, cut where it is long: for messages.
std::string Quote(std::string_view name);

/// The arguments of a call.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;

  /// The argument at that place or of that name, or null.
  const Value* Find(size_t place, std::string_view name) const;
  /// Bytes of those that are strings: what a callee reads of them at least once.
  size_t text_bytes() const;
  /// Fails unless there are at most as many as `names`, and only these.
  bool Fit(Runtime& run, std::string_view callee, const std::vector<std::string_view>& names) const;
};

}  // namespace emptor::engine::jinja
