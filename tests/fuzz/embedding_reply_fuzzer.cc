// Any bytes as the reply of an endpoint: refused, or vectors of length one.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "services/embedding/embedding_codec.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::services;  // NOLINT: one call each
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  constexpr size_t kTexts = 2;
  constexpr int kDimension = 3;
  std::vector<float> out(kTexts * kDimension);
  if (ReadEmbeddingReply(json, kTexts, kDimension, out).ok()) {
    for (size_t row = 0; row < kTexts; ++row) {
      double squares = 0;
      for (size_t i = 0; i < kDimension; ++i) squares += std::pow(out[row * kDimension + i], 2);
      if (!(std::abs(squares - 1) < 1e-4)) std::abort();
    }
  }
  const auto dimension = ReadEmbeddingDimension(json);
  if (dimension.ok() && *dimension < 1) std::abort();
  if (ReadEmbeddingError(json).size() > 200) std::abort();
  return 0;
}
