// Runs models of random weights in tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "engine/loading/gguf_file.h"
#include "engine/model/model.h"
#include "gtest/gtest.h"
#include "tests/engine/support/encode.h"
#include "tests/support/gguf_writer.h"

namespace emptor::testing {

/// A parsed file with the memory that it lies in.
struct LoadedGguf {
  explicit LoadedGguf(const GgufWriter& writer) : copy(writer.Bytes()) {
    auto parsed = engine::GgufFile::Parse(copy.bytes(), "random");
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    if (parsed.ok()) file = std::move(*parsed);
  }
  AlignedCopy copy;
  std::shared_ptr<const engine::GgufFile> file;
};

inline std::vector<int32_t> RandomTokens(size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int32_t> tokens(n);
  for (int32_t& token : tokens) token = static_cast<int32_t>(random() % 260);
  return tokens;
}

inline std::vector<engine::BlockId> Blocks(int first, int count) {
  std::vector<engine::BlockId> ids;
  for (int i = 0; i < count; ++i) ids.push_back(engine::BlockId{first + i});
  return ids;
}

/// Logits of the last token, the prompt cut into chunks of `chunk` tokens.
inline std::vector<float> LastLogits(engine::Model& model, const std::vector<int32_t>& tokens,
                                     size_t chunk, const std::vector<engine::BlockId>& blocks) {
  std::vector<float> logits(static_cast<size_t>(model.vocabulary_size()));
  for (size_t at = 0; at < tokens.size(); at += chunk) {
    const size_t n = std::min(chunk, tokens.size() - at);
    const bool last = at + n == tokens.size();
    const engine::SequenceStep step{std::span(tokens).subspan(at, n), static_cast<int>(at), blocks,
                                    last};
    model.ComputeInto(std::span(&step, 1), last ? std::span(logits) : std::span<float>());
  }
  return logits;
}

inline double RelativeDistance(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(double{a[i]} - double{b[i]}, 2);
    size += std::pow(double{a[i]}, 2);
  }
  return std::sqrt(difference / size);
}

}  // namespace emptor::testing
