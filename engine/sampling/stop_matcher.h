// Finds stop strings in streamed text, also across the borders of its pieces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::engine {

/// Passes text on up to the first stop string, and holds back what could still become one.
/// The stop string that ends first wins, the longest of those; so the result does not depend on
/// how the text was cut into pieces. Thread-safety: one user at a time.
class StopMatcher {
 public:
  /// REQUIRES: no string is empty.
  explicit StopMatcher(std::vector<std::string> stops) : stops_(std::move(stops)) {}

  /// The text that may be shown now. After a stop string was found nothing more comes.
  std::string Append(std::string_view text);
  /// The text that was held back, for when the text ends here.
  std::string Flush();
  bool stopped() const { return stopped_; }
  bool holding() const { return !held_.empty(); }

 private:
  size_t LongestStopAtEnd() const;
  size_t LongestPartialAtEnd() const;

  std::vector<std::string> stops_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace emptor::engine
