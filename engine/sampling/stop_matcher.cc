// Byte by byte, so that the cut of the pieces does not matter.
#include "engine/sampling/stop_matcher.h"

#include <algorithm>
#include <utility>

namespace emptor::engine {

size_t StopMatcher::LongestStopAtEnd() const {
  size_t longest = 0;
  for (const std::string& stop : stops_) {
    if (held_.ends_with(stop)) longest = std::max(longest, stop.size());
  }
  return longest;
}

size_t StopMatcher::LongestPartialAtEnd() const {
  const std::string_view held = held_;
  size_t longest = 0;
  for (const std::string& stop : stops_) {
    for (size_t n = std::min(stop.size() - 1, held.size()); n > longest; --n) {
      if (held.ends_with(std::string_view(stop).substr(0, n))) {
        longest = n;
        break;
      }
    }
  }
  return longest;
}

std::string StopMatcher::Append(std::string_view text) {
  if (stopped_) return "";
  if (stops_.empty()) return std::string(text);
  std::string out;
  for (const char c : text) {
    held_ += c;
    const size_t stop = LongestStopAtEnd();
    if (stop > 0) {
      out.append(held_, 0, held_.size() - stop);
      held_.clear();
      stopped_ = true;
      return out;
    }
    const size_t keep = LongestPartialAtEnd();
    out.append(held_, 0, held_.size() - keep);
    held_.erase(0, held_.size() - keep);
  }
  return out;
}

std::string StopMatcher::Flush() { return std::exchange(held_, {}); }

}  // namespace emptor::engine
