// From words of eight nibbles, stored for other loops, to blocks of 32 columns of a row.
#include "engine/loading/int4_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tensor/half.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kNibbles = 8;        // of a word
constexpr int kSymmetricZero = 8;  // of Q4_0
constexpr int64_t kRowTile = 128;  // rows whose blocks are written together

/// The nibble of a word that holds each of eight neighbours in a row of AWQ.
constexpr std::array<int, kNibbles> kAwqNibbles = {0, 4, 1, 5, 2, 6, 3, 7};

uint32_t WordAt(const SafeTensor& tensor, int64_t index) {
  uint32_t word = 0;
  std::memcpy(&word, tensor.bytes.data() + 4 * index, sizeof(word));
  return word;
}
int NibbleOf(uint32_t word, int64_t nibble) { return static_cast<int>(word >> 4 * nibble & 15); }

/// Reads the numbers of one matrix wherever its format has them.
class Int4Reader {
 public:
  Int4Reader(const Int4Format& format, const Int4Tensors& tensors, int64_t rows, int64_t group_size)
      : format_(format), tensors_(tensors), rows_(rows), group_size_(group_size) {}

  Half Scale(int64_t group, int64_t row) const {
    Half half = 0;
    const auto at = static_cast<size_t>(group * rows_ + row) * sizeof(half);
    std::memcpy(&half, tensors_.scales->bytes.data() + at, sizeof(half));
    return half;
  }
  int Zero(int64_t group, int64_t row) const {
    const uint32_t word = WordAt(*tensors_.qzeros, group * (rows_ / kNibbles) + row / kNibbles);
    return (NibbleOf(word, NibbleOfRow(row)) + format_.zero_offset) & 15;
  }
  /// The quants of columns 32 * block to 32 * block + 31.
  std::array<uint8_t, kQuantBlock> Quants(int64_t row, int64_t block) const {
    const int64_t first = block * kQuantBlock;
    return format_.kind == Int4Format::Kind::kGptq ? GptqQuants(row, first) : AwqQuants(row, first);
  }
  int64_t GroupOf(int64_t block) const { return block * kQuantBlock / group_size_; }

 private:
  /// A word holds eight columns of a row.
  std::array<uint8_t, kQuantBlock> GptqQuants(int64_t row, int64_t first) const {
    std::array<uint8_t, kQuantBlock> quants;
    for (int64_t i = 0; i < kQuantBlock; i += kNibbles) {
      const uint32_t word = WordAt(*tensors_.qweight, (first + i) / kNibbles * rows_ + row);
      for (int64_t k = 0; k < kNibbles; ++k) {
        quants[static_cast<size_t>(i + k)] = static_cast<uint8_t>(NibbleOf(word, k));
      }
    }
    return quants;
  }
  /// A word holds eight rows of a column.
  std::array<uint8_t, kQuantBlock> AwqQuants(int64_t row, int64_t first) const {
    std::array<uint8_t, kQuantBlock> quants;
    const int64_t stride = rows_ / kNibbles;
    const int nibble = NibbleOfRow(row);
    for (int64_t i = 0; i < kQuantBlock; ++i) {
      const uint32_t word = WordAt(*tensors_.qweight, (first + i) * stride + row / kNibbles);
      quants[static_cast<size_t>(i)] = static_cast<uint8_t>(NibbleOf(word, nibble));
    }
    return quants;
  }
  int NibbleOfRow(int64_t row) const {
    const auto at = static_cast<size_t>(row % kNibbles);
    return format_.kind == Int4Format::Kind::kGptq ? static_cast<int>(at) : kAwqNibbles[at];
  }

  const Int4Format& format_;
  const Int4Tensors& tensors_;
  int64_t rows_, group_size_;
};

template <typename Block>
void PutNibbles(const std::array<uint8_t, kQuantBlock>& quants, Block& block) {
  for (size_t i = 0; i < block.nibbles.size(); ++i) {
    block.nibbles[i] = static_cast<uint8_t>(quants[i] | quants[i + block.nibbles.size()] << 4);
  }
}

void WriteBlock(const Int4Reader& reader, int64_t row, int64_t index, const Int4Matrix& matrix,
                std::byte* out) {
  const int64_t group = reader.GroupOf(index);
  const Half scale = reader.Scale(group, row);
  if (matrix.type == DType::kQ4_0) {
    BlockQ4 block{.scale = scale, .nibbles = {}};
    PutNibbles(reader.Quants(row, index), block);
    std::memcpy(out, &block, sizeof(block));
    return;
  }
  const float base = -HalfToFloat(scale) * static_cast<float>(reader.Zero(group, row));
  BlockQ4_1 block{.scale = scale, .base = FloatToHalf(base), .nibbles = {}};
  PutNibbles(reader.Quants(row, index), block);
  std::memcpy(out, &block, sizeof(block));
}

/// Rows in tiles: each cache line of words and of blocks is used whole while it is in the cache.
void WriteBlocks(const Int4Reader& reader, Int4Matrix& matrix) {
  const int64_t blocks = matrix.cols / kQuantBlock;
  const size_t bytes = BlockBytes(matrix.type);
  for (int64_t first = 0; first < matrix.rows; first += kRowTile) {
    for (int64_t index = 0; index < blocks; ++index) {
      for (int64_t row = first; row < std::min(first + kRowTile, matrix.rows); ++row) {
        const auto at = static_cast<size_t>(row * blocks + index) * bytes;
        WriteBlock(reader, row, index, matrix, matrix.blocks.data() + at);
      }
    }
  }
}

/// Checks the tensors of one matrix; every message names one.
class Int4Checker {
 public:
  Int4Checker(const ModelSource& source, std::string name)
      : source_(source), name_(std::move(name)) {}

  absl::Status Check(const char* part, const SafeTensor* tensor, std::string_view type,
                     std::vector<int64_t> dims) const {
    if (tensor == nullptr) return Error(part, "missing");
    if (tensor->stored_type != type) {
      return Error(part, fmt::format("dtype: expected {}, found {}", type, tensor->stored_type));
    }
    if (tensor->dims == dims) return absl::OkStatus();
    return Error(part,
                 fmt::format("shape: expected {}, found {}", Shape(dims), Shape(tensor->dims)));
  }
  absl::Status Error(const char* part, const std::string& what) const {
    return source_.Error(fmt::format("tensor {}.{}", name_, part), what);
  }
  absl::Status Unsupported(const char* part, const std::string& what) const {
    return source_.Unsupported(fmt::format("tensor {}.{}", name_, part), what);
  }

 private:
  static std::string Shape(const std::vector<int64_t>& dims) {
    std::string text;
    for (const int64_t dim : dims) text += (text.empty() ? "" : " x ") + std::to_string(dim);
    return text;
  }

  const ModelSource& source_;
  std::string name_;
};

/// Groups follow each other: column i is of group i / size.
absl::Status CheckOrder(const Int4Checker& checker, const SafeTensor* g_idx, int64_t cols,
                        int64_t group_size) {
  if (g_idx == nullptr) return absl::OkStatus();
  const absl::Status shape = checker.Check("g_idx", g_idx, "I32", {cols});
  if (!shape.ok()) return shape;
  for (int64_t i = 0; i < cols; ++i) {
    if (WordAt(*g_idx, i) == static_cast<uint32_t>(i / group_size)) continue;
    return checker.Unsupported("g_idx", "columns in another order (desc_act)");
  }
  return absl::OkStatus();
}

absl::Status CheckNumbers(const Int4Checker& checker, const Int4Reader& reader, int64_t groups,
                          Int4Matrix& matrix) {
  bool symmetric = true;
  for (int64_t group = 0; group < groups; ++group) {
    for (int64_t row = 0; row < matrix.rows; ++row) {
      const int zero = reader.Zero(group, row);
      const float scale = HalfToFloat(reader.Scale(group, row));
      symmetric &= zero == kSymmetricZero;
      const Half base = FloatToHalf(scale * static_cast<float>(zero));
      if (!std::isfinite(scale) || !std::isfinite(HalfToFloat(base))) {
        return checker.Error("scales", "holds a number that is not finite or too large");
      }
    }
  }
  matrix.type = symmetric ? DType::kQ4_0 : DType::kQ4_1;
  return absl::OkStatus();
}

}  // namespace

StoredTensor Int4Matrix::tensor() const {
  return {{.type = type, .rows = rows, .cols = cols, .data = blocks.data()}, {rows, cols}};
}

absl::StatusOr<Int4Matrix> ConvertInt4(const ModelSource& source, const std::string& name,
                                       const Int4Format& format, const Int4Tensors& tensors) {
  const Int4Checker checker(source, name);
  const SafeTensor& words = *tensors.qweight;
  if (words.dims.size() != 2 || words.stored_type != "I32") {
    return checker.Error("qweight", "expected two dimensions of I32");
  }
  const bool gptq = format.kind == Int4Format::Kind::kGptq;
  Int4Matrix matrix;
  matrix.rows = words.dims[1] * (gptq ? 1 : kNibbles);
  matrix.cols = words.dims[0] * (gptq ? kNibbles : 1);
  const int64_t size = format.group_size < 0 ? matrix.cols : format.group_size;
  if (size % kQuantBlock != 0 || matrix.cols % size != 0 || matrix.rows % kNibbles != 0) {
    return checker.Unsupported(
        "qweight", fmt::format("expected groups of a multiple of 32 columns and rows of a multiple "
                               "of 8, found {} columns in groups of {}, {} rows",
                               matrix.cols, size, matrix.rows));
  }
  const int64_t groups = matrix.cols / size;
  for (const absl::Status& status :
       {checker.Check("qzeros", tensors.qzeros, "I32", {groups, matrix.rows / kNibbles}),
        checker.Check("scales", tensors.scales, "F16", {groups, matrix.rows}),
        CheckOrder(checker, tensors.g_idx, matrix.cols, size)}) {
    if (!status.ok()) return status;
  }
  const Int4Reader reader(format, tensors, matrix.rows, size);
  const absl::Status numbers = CheckNumbers(checker, reader, groups, matrix);
  if (!numbers.ok()) return numbers;
  const auto blocks = static_cast<size_t>(matrix.rows * (matrix.cols / kQuantBlock));
  auto memory = AlignedBuffer::Allocate(blocks * BlockBytes(matrix.type));
  if (!memory.ok()) return memory.status();
  matrix.blocks = *std::move(memory);
  WriteBlocks(reader, matrix);
  return matrix;
}

}  // namespace emptor::engine
