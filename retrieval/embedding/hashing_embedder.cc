// Words to pseudo-random directions.
#include "retrieval/embedding/hashing_embedder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "catalog/encoding/fnv.h"

namespace emptor::retrieval {
namespace {

bool IsWordByte(unsigned char c) {
  return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

uint64_t HashWord(std::string_view word) {  // FNV-1a of the lower-cased bytes
  uint64_t hash = catalog::kFnv64Basis;
  for (const char c : word) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    hash = catalog::Fnv1a64({&lower, 1}, hash);
  }
  return hash;
}

/// Adds the direction that `seed` stands for (SplitMix64, uniform in -1..1).
void AddDirection(uint64_t seed, std::span<float> out) {
  for (float& value : out) {
    seed += 0x9E3779B97F4A7C15u;
    uint64_t z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    value += static_cast<float>((z ^ (z >> 31)) >> 40) / 8388608.0f - 1.0f;
  }
}

void EmbedText(std::string_view text, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0f);
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    while (i < text.size() && IsWordByte(static_cast<unsigned char>(text[i]))) ++i;
    if (i == begin) {
      ++i;
      continue;
    }
    AddDirection(HashWord(text.substr(begin, i - begin)), out);
  }
  double norm = 0;
  for (const float value : out) norm += double{value} * value;
  if (norm == 0) return;
  for (float& value : out) value = static_cast<float>(value / std::sqrt(norm));
}

}  // namespace

HashingEmbedder::HashingEmbedder(int dimension)
    : dimension_(dimension), model_id_(fmt::format("hashing-{}", dimension)) {
  assert(dimension > 0);
}

absl::Status HashingEmbedder::EmbedInto(std::span<const std::string> texts,
                                        std::span<float> out) const {
  const auto d = static_cast<size_t>(dimension_);
  if (out.size() != texts.size() * d) {
    return absl::InvalidArgumentError(fmt::format(
        "hashing embedder: out: expected {} values, found {}", texts.size() * d, out.size()));
  }
  for (size_t i = 0; i < texts.size(); ++i) EmbedText(texts[i], out.subspan(i * d, d));
  return absl::OkStatus();
}

}  // namespace emptor::retrieval
