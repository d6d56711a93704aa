// Overwrites the bytes of each matrix in place; vectors (norms) and metadata stay.
#include "tests/support/noise_model.h"

#include <cstdint>
#include <fstream>

#include "engine/loading/gguf_file.h"
#include "engine/tensor/file_image.h"
#include "tests/support/random_llama.h"

namespace emptor::testing {

absl::Status WriteNoiseCopy(const std::string& from, const std::string& to) {
  auto image = engine::ReadFileImage(from);
  if (!image.ok()) return image.status();
  const auto file = engine::GgufFile::Parse(image->bytes(), from);
  if (!file.ok()) return file.status();
  uint64_t seed = 1;
  for (const engine::GgufTensor& tensor : (*file)->tensors()) {
    const engine::TensorView view = tensor.View();
    if (view.rows == 1) continue;
    const uint32_t type = view.type == engine::DType::kQ8_0  ? GgufWriter::kQ8
                          : view.type == engine::DType::kF16 ? GgufWriter::kF16
                                                             : GgufWriter::kF32;
    const std::string noise = RandomMatrix(type, view.rows, view.cols, 0.05f, ++seed);
    if (noise.size() != tensor.bytes.size()) {
      return absl::UnimplementedError(from + ": a matrix of a type that noise is not made of");
    }
    noise.copy(reinterpret_cast<char*>(image->data() + (tensor.bytes.data() - image->data())),
               noise.size());
  }
  std::ofstream out(to, std::ios::binary);
  out.write(reinterpret_cast<const char*>(image->data()),
            static_cast<std::streamsize>(image->size()));
  return out.flush() ? absl::OkStatus() : absl::UnavailableError(to + ": cannot be written");
}

}  // namespace emptor::testing
