// Splits a stream of JSON into values of one record each, in bounded memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace emptor::catalog {

/// One value, not parsed yet; the view holds during the call.
struct JsonText {
  std::string_view text;  // cut at kMaxRecordBytes
  bool is_too_long = false;
  uint64_t line = 0;
  uint64_t end_line = 0;
  uint64_t end_offset = 0;
};

/// A push parser. Emits each top-level object, the elements of each top-level array, and the
/// elements of the arrays "@graph", "itemListElement" and "dataFeedElement" of a top-level object.
/// The inside of a value is not validated: the parser does that. Memory: one value. Thread-safety:
/// one thread at a time.
class JsonSplitter {
 public:
  using Sink = std::function<absl::Status(const JsonText&)>;
  explicit JsonSplitter(Sink sink, uint64_t line = 1, uint64_t offset = 0);

  /// Errors: those of the sink; kInvalidArgument `line 17: what is wrong` between values.
  absl::Status Push(std::string_view bytes);
  /// Errors: kInvalidArgument when the text ends within a value or list.
  absl::Status Finish();

 private:
  enum class Mode { kBetween, kValue, kRest };  // kRest: of the object around a list

  absl::Status TakeBetween(char c);
  absl::Status TakeInside(char c);
  void OpenList();
  absl::Status EndValue();
  absl::Status Error(std::string_view what) const;

  const Sink sink_;
  Mode mode_ = Mode::kBetween;
  bool in_list_ = false;
  bool list_in_object_ = false;
  std::string value_;
  bool is_too_long_ = false;
  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  std::string key_;         // the last string at depth 1
  bool is_object_ = false;  // the current value, at depth 1
  uint64_t line_;
  uint64_t offset_;
  uint64_t value_line_ = 0;
  absl::Status status_;
};

}  // namespace emptor::catalog
