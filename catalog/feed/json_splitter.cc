// Brackets and strings are followed, nothing else.
#include "catalog/feed/json_splitter.h"

#include <array>
#include <utility>

#include "catalog/feed/amount.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

constexpr size_t kMaxKey = 32;

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool NamesList(std::string_view key) {
  return key == "@graph" || key == "itemListElement" || key == "dataFeedElement";
}

}  // namespace

JsonSplitter::JsonSplitter(Sink sink, uint64_t line, uint64_t offset)
    : sink_(std::move(sink)), line_(line), offset_(offset) {}

absl::Status JsonSplitter::Error(std::string_view what) const {
  return absl::InvalidArgumentError(fmt::format("line {}: {}", line_, what));
}

absl::Status JsonSplitter::Push(std::string_view bytes) {
  for (char c : bytes) {
    if (!status_.ok()) break;
    ++offset_;
    status_ = mode_ == Mode::kBetween ? TakeBetween(c) : TakeInside(c);
    if (c == '\n') ++line_;
  }
  return status_;
}

absl::Status JsonSplitter::Finish() {
  if (!status_.ok()) return status_;
  if (mode_ != Mode::kBetween || in_list_) status_ = Error("the JSON ends within a value");
  return status_;
}

absl::Status JsonSplitter::TakeBetween(char c) {
  if (IsBlank(c) || (c == ',' && in_list_)) return absl::OkStatus();
  if (c == ']' && in_list_) {
    in_list_ = false;
    if (std::exchange(list_in_object_, false)) {
      mode_ = Mode::kRest;
      depth_ = 1;
    }
    return absl::OkStatus();
  }
  const std::string_view mark = "\xEF\xBB\xBF";
  if (offset_ <= mark.size() && c == mark[offset_ - 1]) return absl::OkStatus();
  if (c == '[' && !in_list_) {
    in_list_ = true;
    return absl::OkStatus();
  }
  if (c != '{' && c != '[') {
    return Error(fmt::format("expected a JSON object, found {}", Quoted({&c, 1})));
  }
  mode_ = Mode::kValue;
  value_.assign(1, c);
  value_line_ = line_;
  is_too_long_ = false;
  is_object_ = c == '{';
  key_.clear();
  depth_ = 1;
  return absl::OkStatus();
}

absl::Status JsonSplitter::TakeInside(char c) {
  if (mode_ == Mode::kValue) {
    is_too_long_ = is_too_long_ || value_.size() == kMaxRecordBytes;
    if (!is_too_long_) value_ += c;
  }
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
    } else if (depth_ == 1 && key_.size() < kMaxKey) {
      key_ += c;
    }
    return absl::OkStatus();
  }
  if (c == '"') {
    in_string_ = true;
    if (depth_ == 1) key_.clear();
  } else if (c == '{' || c == '[') {
    if (c == '[' && depth_ == 1 && is_object_ && !in_list_ && mode_ == Mode::kValue &&
        NamesList(key_)) {
      OpenList();
      return absl::OkStatus();
    }
    ++depth_;
  } else if ((c == '}' || c == ']') && --depth_ == 0) {
    return EndValue();
  }
  return absl::OkStatus();
}

// The object that was begun is only the frame of a list: its elements are the values.
void JsonSplitter::OpenList() {
  in_list_ = list_in_object_ = true;
  mode_ = Mode::kBetween;
}

absl::Status JsonSplitter::EndValue() {
  const bool is_rest = mode_ == Mode::kRest;
  mode_ = Mode::kBetween;
  if (is_rest) return absl::OkStatus();
  return sink_({value_, is_too_long_, value_line_, line_, offset_});
}

}  // namespace emptor::catalog
