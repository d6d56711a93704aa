// Finds the JSON-LD of a web page: the text of its <script type="application/ld+json"> elements.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::catalog {

/// A push parser. Comments and other elements are skipped. `begin` gets the line and offset of a
/// script's first byte, `text` its bytes in pieces; `end` closes it. Memory: one tag, of at most
/// kMaxTagBytes. Thread-safety: one thread at a time.
class HtmlScripts {
 public:
  static constexpr size_t kMaxTagBytes = 64u << 10;
  struct Events {
    std::function<void(uint64_t line, uint64_t offset)> begin;
    std::function<absl::Status(std::string_view)> text;
    std::function<absl::Status()> end;
  };
  explicit HtmlScripts(Events events);

  /// Errors: those of the events; then every call returns it.
  absl::Status Push(std::string_view bytes);
  /// Ends a script that is still open. REQUIRES: called once.
  absl::Status Finish();

 private:
  enum class State { kText, kTag, kComment, kScript, kOtherScript };

  absl::Status Drain(bool at_end);
  bool TakeText();
  absl::StatusOr<bool> TakeTag(bool at_end);
  bool TakeComment();
  absl::StatusOr<bool> TakeScript(bool at_end);
  void Drop(size_t count);

  const Events events_;
  State state_ = State::kText;
  std::string buffer_;
  size_t start_ = 0;
  uint64_t line_ = 1;
  uint64_t offset_ = 0;
  absl::Status status_;
};

}  // namespace emptor::catalog
