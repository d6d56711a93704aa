// Writes GGUF files in memory, well-formed or, where a test wants it, not.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/loading/gguf_head.h"

namespace emptor::testing {

/// The product's writer with the data of the tensors. Numbers of the format are plain integers
/// here, and its head can be falsified, so that a test can write wrong files.
class GgufWriter : public engine::GgufHead {
 public:
  static constexpr uint32_t kF32 = 0, kF16 = 1, kQ8 = 8, kBF16 = 30;  // tensor types

  using GgufHead::magic;
  using GgufHead::pair_count;
  using GgufHead::tensor_count;
  using GgufHead::version;

  /// `dims` fastest first. The data is placed behind that of the tensors before it.
  void AddTensor(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                 std::string_view data) {
    GgufHead::AddTensor(name, dims, type, data.size());
    data_ += data;
    data_.resize(data_bytes());
  }

  std::string Bytes() const { return HeadBytes() + data_; }
  void WriteTo(const std::string& path) const {
    const std::string bytes = Bytes();
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  }

 private:
  std::string data_;
};

}  // namespace emptor::testing
