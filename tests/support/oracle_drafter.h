// A drafter that knows the answers, and is wrong as often as it is told to be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "engine/speculation/drafter.h"

namespace emptor::testing {

/// Proposes how one of the known texts goes on after a sequence's tokens; one token in `one_in` is
/// replaced by another. Where no text begins with the tokens it has no draft. `free`: what is_free
/// says.
class OracleDrafter final : public engine::Drafter {
 public:
  OracleDrafter(std::vector<std::vector<int32_t>> texts, int one_in, uint64_t seed,
                bool free = true)
      : texts_(std::move(texts)), one_in_(one_in), random_(seed), free_(free) {}

  std::optional<int> Classify(uint64_t, std::span<const int32_t> tokens) override {
    return Rest(tokens).empty() ? std::nullopt : std::optional(5);
  }
  void Prefill(std::span<const engine::DraftRequest>) override {}
  void DraftInto(std::span<engine::DraftRequest> requests) override {
    for (engine::DraftRequest& request : requests) {
      const auto rest = Rest(request.tokens);
      const auto count = std::min(rest.size(), static_cast<size_t>(request.count));
      request.drafts.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(count));
      made_ += static_cast<int>(count);
      for (int32_t& token : request.drafts) {
        if (random_() % static_cast<uint64_t>(one_in_) == 0) token = 'a' + (token + 1) % 26;
      }
    }
  }
  void Forget(uint64_t) override {}
  bool is_free() const override { return free_; }

  /// Draft tokens so far.
  int made() const { return made_; }

 private:
  std::span<const int32_t> Rest(std::span<const int32_t> tokens) const {
    for (const std::vector<int32_t>& text : texts_) {
      if (text.size() > tokens.size() && std::equal(tokens.begin(), tokens.end(), text.begin())) {
        return std::span(text).subspan(tokens.size());
      }
    }
    return {};
  }

  std::vector<std::vector<int32_t>> texts_;
  int one_in_;
  std::mt19937_64 random_;
  bool free_;
  int made_ = 0;
};

}  // namespace emptor::testing
