// Any bytes as a safetensors file: refused, or tensors that lie within it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "engine/loading/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::engine;
  std::vector<uint64_t> aligned(size / 8 + 1);
  if (size > 0) std::memcpy(aligned.data(), data, size);
  const auto file = SafetensorsFile::Parse(std::as_bytes(std::span(aligned)).first(size), "fuzz");
  if (!file.ok()) return 0;
  // Reads the first and last byte of every tensor: a span outside of the file is caught here.
  unsigned sum = 0;
  for (const SafeTensor& tensor : (*file)->tensors()) {
    if (tensor.bytes.empty() || (*file)->FindTensor(tensor.name) != &tensor) std::abort();
    sum += std::to_integer<unsigned>(tensor.bytes.front());
    sum += std::to_integer<unsigned>(tensor.bytes.back());
    if (tensor.type) sum += static_cast<unsigned>(tensor.View().rows);
  }
  // The sum is used, so that none of the reads is optimised away.
  return sum == 0xffffffffu ? -1 : 0;
}
