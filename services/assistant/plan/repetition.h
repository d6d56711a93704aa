// Detects that a model repeats itself: "inginginging...".
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// Watches a model's raw text as it streams. Thread-safety: none; one answer owns it.
class RepetitionDetector {
 public:
  /// True from the moment the text ends in repetitions of one piece of 1 to 32 bytes with letters
  /// or digits: at least five times and at least 32 bytes. Such a model does not recover, and would
  /// take up the engine until its token limit.
  bool Push(std::string_view text);

 private:
  bool EndsInALoop() const;

  std::string tail_;
  bool found_ = false;
};

}  // namespace emptor::services
