// Compares the tail of the text with itself, shifted by every period.
#include "services/assistant/plan/repetition.h"

#include <algorithm>

namespace emptor::services {
namespace {

constexpr size_t kMaxPeriod = 32;  // bytes
constexpr size_t kMinRepeats = 5;
constexpr size_t kMinBytes = 32;
constexpr size_t kTail = kMaxPeriod * kMinRepeats;

bool SaysSomething(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z');
}

}  // namespace

bool RepetitionDetector::Push(std::string_view text) {
  for (size_t at = 0; at < text.size() && !found_; at += kMaxPeriod) {
    tail_ += text.substr(at, kMaxPeriod);
    if (tail_.size() > 2 * kTail) tail_.erase(0, tail_.size() - kTail);
    found_ = EndsInALoop();
  }
  return found_;
}

bool RepetitionDetector::EndsInALoop() const {
  for (size_t period = 1; period <= kMaxPeriod; ++period) {
    const size_t needed = std::max(period * kMinRepeats, kMinBytes);
    if (tail_.size() < needed) continue;
    const auto begin = tail_.end() - static_cast<std::ptrdiff_t>(needed);
    const auto shift = static_cast<std::ptrdiff_t>(period);
    const bool loops = std::equal(begin + shift, tail_.end(), begin);
    if (loops && std::any_of(begin, begin + shift, SaysSomething)) return true;
  }
  return false;
}

}  // namespace emptor::services
