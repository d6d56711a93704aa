// Tells when a model has gone round in circles: "inginginging...".
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// Watches a model's raw text as it streams. Thread-safety: none; one answer owns it.
class RepetitionDetector {
 public:
  /// True from the moment the text ends in one piece of 1 to 32 bytes, letters or digits among
  /// them, over and over: at least five times and at least 32 bytes. Such a model does not find
  /// its way back by itself; what it writes until its limit costs everybody else's tokens.
  bool Push(std::string_view text);

 private:
  bool EndsInALoop() const;

  std::string tail_;
  bool found_ = false;
};

}  // namespace emptor::services
