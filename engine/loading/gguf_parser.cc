// One pass over the bytes of an untrusted GGUF file.
#include "engine/loading/gguf_parser.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "engine/loading/gguf_head.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "GGUF is read in its memory layout");

constexpr size_t kMaxKeyBytes = 256;
constexpr size_t kMaxTensorNameBytes = 64;
constexpr uint64_t kMaxAlignment = 1u << 20;
// Numbers are widened to 8 bytes: this bounds what a large array of bytes can cost.
constexpr uint64_t kMaxArrayElements = 1u << 24;
constexpr uint64_t kMaxElements = uint64_t{1} << 62;
// The minimum size of a metadata pair (length, 1 byte of key, type, 1 byte) and a tensor entry
// (length, 1 byte of name, dimension count, 1 dimension, type, offset) take in the file.
constexpr size_t kMinPairBytes = 8 + 1 + 4 + 1;
constexpr size_t kMinTensorBytes = 8 + 1 + 4 + 8 + 4 + 8;

enum ValueType : uint32_t {
  kUint8 = 0,
  kInt8 = 1,
  kUint16 = 2,
  kInt16 = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kUint64 = 10,
  kInt64 = 11,
  kFloat64 = 12,
};

/// The type that all scalars of stored type T arrive as.
template <typename T>
using WideOf = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

absl::StatusOr<DType> ToDType(uint32_t type, const std::string& where) {
  std::string known;
  for (const DType candidate : kAllDTypes) {
    if (GgufTypeNumber(candidate) == type) return candidate;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", DTypeName(candidate));
  }
  const std::string_view name = GgufTypeName(type);
  return absl::UnimplementedError(
      fmt::format("{}: type: expected one of {}, found {}", where, known,
                  name.empty() ? fmt::format("number {}", type) : std::string(name)));
}

}  // namespace

absl::Status GgufParser::Cut(std::string_view field) const {
  return absl::DataLossError(
      fmt::format("{}: {}: the file ends at byte {}", file_.name_, field, bytes_.size()));
}

absl::Status GgufParser::Invalid(std::string_view field, std::string_view what) const {
  return file_.Error(field, what);
}

template <typename T>
absl::StatusOr<T> GgufParser::Read(std::string_view field) {
  if (left() < sizeof(T)) return Cut(field);
  T value;
  std::memcpy(&value, bytes_.data() + position_, sizeof(T));
  position_ += sizeof(T);
  return value;
}

absl::StatusOr<std::string_view> GgufParser::ReadString(std::string_view field, size_t max_length) {
  const absl::StatusOr<uint64_t> length = Read<uint64_t>(field);
  if (!length.ok()) return length.status();
  if (*length > max_length) {
    return Invalid(field, fmt::format("length: at most {}, found {}", max_length, *length));
  }
  if (*length > left()) return Cut(field);
  const auto* begin = reinterpret_cast<const char*>(bytes_.data() + position_);
  position_ += *length;
  return std::string_view(begin, *length);
}

absl::Status GgufParser::ReadHeader() {
  const absl::StatusOr<uint32_t> magic = Read<uint32_t>("magic");
  if (!magic.ok()) return magic.status();
  if (*magic != 0x46554747u) return Invalid("magic", "expected GGUF");
  const absl::StatusOr<uint32_t> version = Read<uint32_t>("version");
  if (!version.ok()) return version.status();
  if (*version != 2 && *version != 3) {
    return Invalid("version", fmt::format("expected 2 or 3, found {}", *version));
  }
  const absl::StatusOr<uint64_t> tensors = Read<uint64_t>("tensor_count");
  if (!tensors.ok()) return tensors.status();
  const absl::StatusOr<uint64_t> pairs = Read<uint64_t>("metadata_kv_count");
  if (!pairs.ok()) return pairs.status();
  if (*tensors > left() / kMinTensorBytes) {
    return Invalid("tensor_count", fmt::format("{} do not fit into the file", *tensors));
  }
  if (*pairs > left() / kMinPairBytes) {
    return Invalid("metadata_kv_count", fmt::format("{} do not fit into the file", *pairs));
  }
  tensor_count_ = *tensors;
  pair_count_ = *pairs;
  return absl::OkStatus();
}

absl::StatusOr<GgufValue> GgufParser::ReadScalar(std::string_view key, uint32_t type) {
  const auto wide = [&]<typename T>(T) -> absl::StatusOr<GgufValue> {
    const absl::StatusOr<T> value = Read<T>(key);
    if (!value.ok()) return value.status();
    return GgufValue(static_cast<WideOf<T>>(*value));
  };
  switch (type) {
    case kUint8:
      return wide(uint8_t{});
    case kInt8:
      return wide(int8_t{});
    case kUint16:
      return wide(uint16_t{});
    case kInt16:
      return wide(int16_t{});
    case kUint32:
      return wide(uint32_t{});
    case kInt32:
      return wide(int32_t{});
    case kFloat32:
      return wide(float{});
    case kUint64:
      return wide(uint64_t{});
    case kInt64:
      return wide(int64_t{});
    case kFloat64:
      return wide(double{});
    case kBool: {
      const absl::StatusOr<uint8_t> value = Read<uint8_t>(key);
      if (!value.ok()) return value.status();
      if (*value > 1) return Invalid(key, fmt::format("bool: expected 0 or 1, found {}", *value));
      return GgufValue(*value == 1);
    }
    case kString: {
      const absl::StatusOr<std::string_view> value = ReadString(key, bytes_.size());
      if (!value.ok()) return value.status();
      return GgufValue(*value);
    }
    case kArray:
      return ReadArray(key);
    default:
      return Invalid(key, fmt::format("value type: expected 0 to 12, found {}", type));
  }
}

template <typename T, typename Wide>
absl::StatusOr<GgufValue> GgufParser::ReadArrayOf(std::string_view key, uint64_t count) {
  if (count > left() / sizeof(T)) return Cut(key);
  std::vector<Wide> values(count);
  for (Wide& value : values) {
    T stored;
    std::memcpy(&stored, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    value = static_cast<Wide>(stored);
  }
  return GgufValue(std::move(values));
}

absl::StatusOr<GgufValue> GgufParser::ReadStringArray(std::string_view key, uint64_t count) {
  if (count > left() / sizeof(uint64_t)) return Cut(key);
  std::vector<std::string_view> values;
  values.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const absl::StatusOr<std::string_view> value = ReadString(key, bytes_.size());
    if (!value.ok()) return value.status();
    values.push_back(*value);
  }
  return GgufValue(std::move(values));
}

absl::StatusOr<GgufValue> GgufParser::ReadBoolArray(std::string_view key, uint64_t count) {
  if (count > left()) return Cut(key);
  std::vector<bool> values(count);
  for (uint64_t i = 0; i < count; ++i) {
    const auto stored = std::to_integer<uint8_t>(bytes_[position_++]);
    if (stored > 1) return Invalid(key, fmt::format("bool: expected 0 or 1, found {}", stored));
    values[i] = stored == 1;
  }
  return GgufValue(std::move(values));
}

absl::StatusOr<GgufValue> GgufParser::ReadArray(std::string_view key) {
  const absl::StatusOr<uint32_t> type = Read<uint32_t>(key);
  if (!type.ok()) return type.status();
  const absl::StatusOr<uint64_t> count = Read<uint64_t>(key);
  if (!count.ok()) return count.status();
  if (*count > kMaxArrayElements) {
    return Invalid(key, fmt::format("length: at most {}, found {}", kMaxArrayElements, *count));
  }
  switch (*type) {
    case kUint8:
      return ReadArrayOf<uint8_t, uint64_t>(key, *count);
    case kInt8:
      return ReadArrayOf<int8_t, int64_t>(key, *count);
    case kUint16:
      return ReadArrayOf<uint16_t, uint64_t>(key, *count);
    case kInt16:
      return ReadArrayOf<int16_t, int64_t>(key, *count);
    case kUint32:
      return ReadArrayOf<uint32_t, uint64_t>(key, *count);
    case kInt32:
      return ReadArrayOf<int32_t, int64_t>(key, *count);
    case kFloat32:
      return ReadArrayOf<float, double>(key, *count);
    case kUint64:
      return ReadArrayOf<uint64_t, uint64_t>(key, *count);
    case kInt64:
      return ReadArrayOf<int64_t, int64_t>(key, *count);
    case kFloat64:
      return ReadArrayOf<double, double>(key, *count);
    case kBool:
      return ReadBoolArray(key, *count);
    case kString:
      return ReadStringArray(key, *count);
    default:
      // Arrays of arrays are legal GGUF that no model uses; refusing them bounds the depth.
      return Invalid(key, fmt::format("array element type: found {}", *type));
  }
}

absl::Status GgufParser::ReadPair(uint64_t index) {
  const std::string where = fmt::format("metadata[{}]", index);
  const absl::StatusOr<std::string_view> key = ReadString(where, kMaxKeyBytes);
  if (!key.ok()) return key.status();
  if (key->empty()) return Invalid(where, "key: empty");
  const absl::StatusOr<uint32_t> type = Read<uint32_t>(*key);
  if (!type.ok()) return type.status();
  const size_t begin = position_;
  absl::StatusOr<GgufValue> value = ReadScalar(*key, *type);
  if (!value.ok()) return value.status();
  if (!file_.values_.emplace(*key, std::move(*value)).second) return Invalid(*key, "key: twice");
  const auto* first = reinterpret_cast<const char*>(bytes_.data() + begin);
  file_.pairs_.push_back({*key, *type, {first, position_ - begin}});
  return absl::OkStatus();
}

absl::Status GgufParser::ReadAlignment() {
  const absl::StatusOr<int64_t> alignment =
      file_.Integer("general.alignment", 8, kMaxAlignment, int64_t{32});
  if (!alignment.ok()) return alignment.status();
  if (!std::has_single_bit(static_cast<uint64_t>(*alignment))) {
    return Invalid("general.alignment",
                   fmt::format("expected a power of two, found {}", *alignment));
  }
  alignment_ = static_cast<uint64_t>(*alignment);
  return absl::OkStatus();
}

absl::Status GgufParser::ReadDims(GgufTensor& tensor, const std::string& where) {
  const absl::StatusOr<uint32_t> dims = Read<uint32_t>(where);
  if (!dims.ok()) return dims.status();
  if (*dims < 1 || *dims > 4) {
    return Invalid(where, fmt::format("n_dims: expected 1 to 4, found {}", *dims));
  }
  uint64_t elements = 1;
  for (uint32_t i = 0; i < *dims; ++i) {
    const absl::StatusOr<uint64_t> dim = Read<uint64_t>(where);
    if (!dim.ok()) return dim.status();
    if (*dim == 0) return Invalid(where, fmt::format("dim[{}]: zero", i));
    if (*dim > kMaxElements / elements) {
      return Invalid(where, fmt::format("dim[{}]: {} elements overflow", i, *dim));
    }
    elements *= *dim;
    tensor.dims.push_back(static_cast<int64_t>(*dim));
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> GgufParser::ByteSize(const GgufTensor& tensor,
                                              const std::string& where) const {
  const auto block_elements = static_cast<uint64_t>(BlockElements(tensor.type));
  const auto block_bytes = static_cast<uint64_t>(BlockBytes(tensor.type));
  const auto cols = static_cast<uint64_t>(tensor.dims[0]);
  if (cols % block_elements != 0) {
    return Invalid(where, fmt::format("dim[0]: expected a multiple of {}, found {}", block_elements,
                                      tensor.dims[0]));
  }
  uint64_t blocks = cols / block_elements;
  for (size_t i = 1; i < tensor.dims.size(); ++i) blocks *= static_cast<uint64_t>(tensor.dims[i]);
  if (blocks > bytes_.size() / block_bytes) {
    return Invalid(where, fmt::format("size: {} blocks do not fit into the file", blocks));
  }
  return blocks * block_bytes;
}

absl::Status GgufParser::ReadTensor(uint64_t index) {
  std::string where = fmt::format("tensor[{}]", index);
  GgufTensor tensor;
  const absl::StatusOr<std::string_view> name = ReadString(where, kMaxTensorNameBytes);
  if (!name.ok()) return name.status();
  if (name->empty()) return Invalid(where, "name: empty");
  tensor.name = *name;
  where = fmt::format("tensor {}", *name);
  const absl::Status dims = ReadDims(tensor, where);
  if (!dims.ok()) return dims;
  const absl::StatusOr<uint32_t> type_number = Read<uint32_t>(where);
  if (!type_number.ok()) return type_number.status();
  const absl::StatusOr<DType> type = ToDType(*type_number, file_.name_ + ": " + where);
  if (!type.ok()) return type.status();
  tensor.type = *type;
  const absl::StatusOr<uint64_t> offset = Read<uint64_t>(where);
  if (!offset.ok()) return offset.status();
  if (*offset % alignment_ != 0) {
    return Invalid(where, fmt::format("offset: {} is not aligned to {}", *offset, alignment_));
  }
  const absl::StatusOr<uint64_t> size = ByteSize(tensor, where);
  if (!size.ok()) return size.status();
  if (!file_.tensor_index_.emplace(*name, file_.tensors_.size()).second) {
    return Invalid(where, "name: twice");
  }
  file_.tensors_.push_back(std::move(tensor));
  pending_.push_back({*offset, *size});
  return absl::OkStatus();
}

absl::Status GgufParser::PlaceTensors() {
  const uint64_t start = (position_ + alignment_ - 1) / alignment_ * alignment_;
  if (!pending_.empty() && start > bytes_.size()) return Cut("tensor data");
  const uint64_t room = pending_.empty() ? 0 : bytes_.size() - start;
  std::vector<size_t> order(pending_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return pending_[a].offset < pending_[b].offset; });
  uint64_t end = 0;
  for (const size_t i : order) {
    const auto [offset, size] = pending_[i];
    GgufTensor& tensor = file_.tensors_[i];
    const std::string where = fmt::format("tensor {}", tensor.name);
    if (offset < end)
      return Invalid(where, fmt::format("offset: {} overlaps another tensor", offset));
    if (offset > room || size > room - offset) {
      return absl::DataLossError(
          fmt::format("{}: {}: offset: {} + {} bytes are beyond the file's {}", file_.name_, where,
                      offset, size, room));
    }
    tensor.bytes = bytes_.subspan(start + offset, size);
    end = offset + size;
  }
  return absl::OkStatus();
}

absl::Status GgufParser::Parse() {
  absl::Status status = ReadHeader();
  for (uint64_t i = 0; status.ok() && i < pair_count_; ++i) status = ReadPair(i);
  if (status.ok()) status = ReadAlignment();
  for (uint64_t i = 0; status.ok() && i < tensor_count_; ++i) status = ReadTensor(i);
  if (status.ok()) status = PlaceTensors();
  return status;
}

}  // namespace emptor::engine
