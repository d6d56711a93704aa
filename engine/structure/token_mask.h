// Which tokens of a vocabulary may come next, held in the form that is quickest to apply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace emptor::engine {

/// Few allowed tokens, or few forbidden ones, are lists; anything else is a bit for each token.
/// Thread-safety: immutable.
class TokenMask {
 public:
  /// `allowed` in any order, each once, all below `vocabulary`.
  TokenMask(std::vector<int32_t> allowed, int vocabulary);

  /// Sets the logits of all but the allowed and the `also` allowed tokens to -infinity; those
  /// beyond the vocabulary too.
  void ApplyInto(std::span<float> logits, std::span<const int32_t> also) const;

  size_t allowed_count() const { return allowed_count_; }
  size_t bytes() const { return list_.size() * sizeof(int32_t) + bits_.size() * sizeof(uint64_t); }

 private:
  enum class Form { kAllowedList, kForbiddenList, kBits };
  void ForbidInto(std::span<float> logits) const;

  Form form_ = Form::kAllowedList;
  size_t vocabulary_;
  size_t allowed_count_;
  std::vector<int32_t> list_;
  std::vector<uint64_t> bits_;
};

}  // namespace emptor::engine
