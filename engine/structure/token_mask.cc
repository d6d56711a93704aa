// Three forms of one set.
#include "engine/structure/token_mask.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace emptor::engine {

TokenMask::TokenMask(std::vector<int32_t> allowed, int vocabulary)
    : vocabulary_(static_cast<size_t>(vocabulary)), allowed_count_(allowed.size()) {
  const size_t few = vocabulary_ / 32;  // as large as the bits would be
  if (allowed.size() <= few) {
    list_ = std::move(allowed);
    return;
  }
  bits_.assign((vocabulary_ + 63) / 64, 0);
  for (const int32_t token : allowed) {
    bits_[static_cast<size_t>(token) / 64] |= uint64_t{1} << (token % 64);
  }
  form_ = Form::kBits;
  if (vocabulary_ - allowed.size() > few) return;
  for (size_t token = 0; token < vocabulary_; ++token) {
    if ((bits_[token / 64] >> (token % 64) & 1) == 0) list_.push_back(static_cast<int32_t>(token));
  }
  bits_.clear();
  form_ = Form::kForbiddenList;
}

void TokenMask::ForbidInto(std::span<float> logits) const {
  if (form_ == Form::kForbiddenList) {
    for (const int32_t token : list_) {
      if (static_cast<size_t>(token) < logits.size()) {
        logits[static_cast<size_t>(token)] = -INFINITY;
      }
    }
    return;
  }
  for (size_t begin = 0; begin < std::min(logits.size(), vocabulary_); begin += 64) {
    const uint64_t word = bits_[begin / 64];
    if (word == ~uint64_t{0}) continue;
    const auto piece = logits.subspan(begin, std::min<size_t>(64, logits.size() - begin));
    for (size_t i = 0; i < piece.size(); ++i) {
      piece[i] = (word >> i & 1) != 0 ? piece[i] : -INFINITY;
    }
  }
}

void TokenMask::ApplyInto(std::span<float> logits, std::span<const int32_t> also) const {
  std::vector<std::pair<size_t, float>> kept;
  const auto keep = [&](std::span<const int32_t> tokens) {
    for (const int32_t token : tokens) {
      const auto at = static_cast<size_t>(token);
      if (at < logits.size()) kept.emplace_back(at, logits[at]);
    }
  };
  keep(also);
  if (form_ == Form::kAllowedList) {
    keep(list_);
    std::fill(logits.begin(), logits.end(), -INFINITY);
  } else {
    ForbidInto(logits);
    if (logits.size() > vocabulary_) {
      std::fill(logits.begin() + static_cast<std::ptrdiff_t>(vocabulary_), logits.end(), -INFINITY);
    }
  }
  for (const auto& [at, logit] : kept) logits[at] = logit;
}

}  // namespace emptor::engine
