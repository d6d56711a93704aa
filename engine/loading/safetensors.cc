// Loading of untrusted safetensors files.
#include "engine/loading/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

#include "engine/json/json_tree.h"
#include "engine/tensor/file_image.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "data is used in the layout of the file");

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the limit of the format's own library
constexpr size_t kMaxNameBytes = 512;
constexpr size_t kMaxDims = 8;
constexpr uint64_t kMaxElements = uint64_t{1} << 60;  // times 8 bytes still fits
// Writers pad the header so that the data begins at a multiple of this; older ones did not.
constexpr size_t kDataAlignment = 8;

struct ElementType {
  std::string_view name;
  uint64_t bytes;
  std::optional<DType> type;
};

constexpr std::array<ElementType, 15> kTypes = {{{"F32", 4, DType::kF32},
                                                 {"F16", 2, DType::kF16},
                                                 {"BF16", 2, DType::kBF16},
                                                 {"F64", 8, std::nullopt},
                                                 {"F8_E4M3", 1, std::nullopt},
                                                 {"F8_E5M2", 1, std::nullopt},
                                                 {"I64", 8, std::nullopt},
                                                 {"I32", 4, std::nullopt},
                                                 {"I16", 2, std::nullopt},
                                                 {"I8", 1, std::nullopt},
                                                 {"U64", 8, std::nullopt},
                                                 {"U32", 4, std::nullopt},
                                                 {"U16", 2, std::nullopt},
                                                 {"U8", 1, std::nullopt},
                                                 {"BOOL", 1, std::nullopt}}};

/// Bytes of the header. Errors: kDataLoss, kInvalidArgument.
absl::StatusOr<uint64_t> HeaderBytes(std::span<const std::byte> file, const std::string& name) {
  if (file.size() < kLengthBytes) {
    return absl::DataLossError(
        fmt::format("{}: header length: the file ends at byte {}", name, file.size()));
  }
  uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof(length));
  if (length > kMaxHeaderBytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: header length: at most {}, found {}", name, kMaxHeaderBytes, length));
  }
  if (length > file.size() - kLengthBytes) {
    return absl::DataLossError(fmt::format("{}: header: expected {} bytes, found {}", name, length,
                                           file.size() - kLengthBytes));
  }
  return length;
}

}  // namespace

/// Fills a SafetensorsFile from its header and its data part.
class SafetensorsParser {
 public:
  SafetensorsParser(SafetensorsFile& file, std::span<const std::byte> data)
      : file_(file), data_(data) {}

  absl::Status Parse(std::string_view header) {
    if (!header.starts_with('{')) return file_.Error("header", "expected an object");
    const auto tree = JsonTree::Parse(header, {.max_bytes = kMaxHeaderBytes, .max_depth = 4});
    if (!tree.ok()) return file_.Error("header", std::string(tree.status().message()));
    absl::Status status;
    tree->root().ForEachMember([&](std::string_view name, JsonView entry) {
      if (!status.ok()) return;
      status = name == "__metadata__" ? ReadMetadata(entry) : ReadTensor(name, entry);
    });
    return status.ok() ? PlaceTensors() : status;
  }

 private:
  /// The content is unused but must conform to the format.
  absl::Status ReadMetadata(JsonView entry) const {
    bool strings = entry.is_object();
    if (strings) {
      entry.ForEachMember([&](std::string_view, JsonView value) { strings &= value.is_string(); });
    }
    return strings ? absl::OkStatus() : file_.Error("__metadata__", "expected names and strings");
  }

  absl::Status ReadTensor(std::string_view name, JsonView entry) {
    if (name.empty()) return file_.Error("tensor", "name: empty");
    if (name.size() > kMaxNameBytes) {
      return file_.Error(
          "tensor", fmt::format("name: at most {} bytes, found {}", kMaxNameBytes, name.size()));
    }
    const std::string where = fmt::format("tensor {}", name);
    if (!entry.is_object()) {
      return file_.Error(where,
                         fmt::format("expected an object, found {}", DescribeKind(entry.kind())));
    }
    SafeTensor tensor;
    tensor.name = name;
    const absl::StatusOr<uint64_t> unit = ReadType(entry, where, tensor);
    if (!unit.ok()) return unit.status();
    const absl::StatusOr<uint64_t> elements = ReadShape(entry, where, tensor);
    if (!elements.ok()) return elements.status();
    const absl::Status offsets = ReadOffsets(entry, where, *elements * *unit);
    if (!offsets.ok()) return offsets;
    if (pending_.back().begin % *unit != 0) {
      return file_.Error(where, fmt::format("data_offsets: {} is not aligned to {}",
                                            pending_.back().begin, *unit));
    }
    pending_.back().tensor = std::move(tensor);
    return absl::OkStatus();
  }

  /// Sets the type; gives the bytes of an element.
  absl::StatusOr<uint64_t> ReadType(JsonView entry, const std::string& where,
                                    SafeTensor& tensor) const {
    const std::optional<JsonView> dtype = entry.Find("dtype");
    if (!dtype || !dtype->is_string()) return file_.Error(where, "dtype: expected a string");
    const auto* known = std::find_if(kTypes.begin(), kTypes.end(), [&](const ElementType& type) {
      return type.name == dtype->as_string();
    });
    if (known == kTypes.end()) {
      return absl::UnimplementedError(fmt::format("{}: {}: dtype: found {:?}", file_.name(), where,
                                                  std::string(dtype->as_string().substr(0, 64))));
    }
    tensor.stored_type = known->name;
    tensor.type = known->type;
    return known->bytes;
  }

  /// Sets the dimensions; gives their product.
  absl::StatusOr<uint64_t> ReadShape(JsonView entry, const std::string& where,
                                     SafeTensor& tensor) const {
    const std::optional<JsonView> shape = entry.Find("shape");
    if (!shape || !shape->is_array()) return file_.Error(where, "shape: expected an array");
    if (shape->size() > kMaxDims) {
      return file_.Error(
          where, fmt::format("shape: at most {} dimensions, found {}", kMaxDims, shape->size()));
    }
    uint64_t elements = 1;
    for (const JsonView dim : shape->Items()) {
      if (!dim.is_int() || dim.as_int() < 1) {
        return file_.Error(where, "shape: expected positive integers");
      }
      const auto n = static_cast<uint64_t>(dim.as_int());
      if (n > kMaxElements / elements) {
        return file_.Error(where, fmt::format("shape: {} elements overflow", n));
      }
      elements *= n;
      tensor.dims.push_back(dim.as_int());
    }
    return elements;
  }

  /// Records the offset of a tensor of `bytes`.
  absl::Status ReadOffsets(JsonView entry, const std::string& where, uint64_t bytes) {
    const std::optional<JsonView> offsets = entry.Find("data_offsets");
    if (!offsets || !offsets->is_array() || offsets->size() != 2) {
      return file_.Error(where, "data_offsets: expected an array of two");
    }
    const std::vector<JsonView> items = offsets->Items();
    if (!items[0].is_int() || !items[1].is_int() || items[0].as_int() < 0 ||
        items[1].as_int() < items[0].as_int()) {
      return file_.Error(where, "data_offsets: expected two integers, from 0 and ascending");
    }
    const auto begin = static_cast<uint64_t>(items[0].as_int());
    const auto end = static_cast<uint64_t>(items[1].as_int());
    if (end - begin != bytes) {
      return file_.Error(
          where, fmt::format("data_offsets: expected {} bytes, found {}", bytes, end - begin));
    }
    if (end > data_.size()) {
      return absl::DataLossError(
          fmt::format("{}: {}: data_offsets: {} to {} are beyond the data's {} bytes", file_.name(),
                      where, begin, end, data_.size()));
    }
    pending_.push_back({begin, end, {}});
    return absl::OkStatus();
  }

  /// The tensors in the order of their data, which they must cover without overlap or hole.
  absl::Status PlaceTensors() {
    std::sort(pending_.begin(), pending_.end(),
              [](const Pending& a, const Pending& b) { return a.begin < b.begin; });
    uint64_t at = 0;
    for (Pending& pending : pending_) {
      const std::string where = fmt::format("tensor {}", pending.tensor.name);
      if (pending.begin != at) {
        return file_.Error(where,
                           fmt::format("data_offsets: {} {}", pending.begin,
                                       pending.begin < at ? "overlaps another tensor"
                                                          : "leaves a hole before the tensor"));
      }
      at = pending.end;
      pending.tensor.bytes = data_.subspan(pending.begin, pending.end - pending.begin);
      file_.tensors_.push_back(std::move(pending.tensor));
    }
    if (at != data_.size()) {
      return file_.Error("data", fmt::format("expected {} bytes, found {}", at, data_.size()));
    }
    for (size_t i = 0; i < file_.tensors_.size(); ++i) {
      file_.tensor_index_.emplace(file_.tensors_[i].name, i);
    }
    return absl::OkStatus();
  }

  struct Pending {
    uint64_t begin, end;
    SafeTensor tensor;
  };

  SafetensorsFile& file_;
  std::span<const std::byte> data_;
  std::vector<Pending> pending_;
};

TensorView SafeTensor::View() const {
  assert(type.has_value());
  TensorView view{.type = *type, .rows = 1, .cols = 1, .data = bytes.data()};
  if (dims.empty()) return view;
  view.cols = dims.back();
  for (size_t i = 0; i + 1 < dims.size(); ++i) view.rows *= dims[i];
  return view;
}

absl::StatusOr<std::unique_ptr<const SafetensorsFile>> SafetensorsFile::Load(
    const std::string& path) {
  absl::StatusOr<AlignedBuffer> image = ReadFileImage(path);
  if (!image.ok()) return image.status();
  const absl::StatusOr<uint64_t> header = HeaderBytes(image->bytes(), path);
  if (!header.ok()) return header.status();
  const std::string text(reinterpret_cast<const char*>(image->data()) + kLengthBytes, *header);
  const size_t start = kLengthBytes + *header;
  const size_t data_bytes = image->size() - start;
  const size_t shift = start % kDataAlignment;
  if (shift != 0) std::memmove(image->data() + start - shift, image->data() + start, data_bytes);
  std::unique_ptr<SafetensorsFile> file(new SafetensorsFile);
  file->name_ = path;
  file->size_ = image->size();
  file->storage_ = std::move(*image);
  const auto data = file->storage_.bytes().subspan(start - shift, data_bytes);
  const absl::Status parsed = SafetensorsParser(*file, data).Parse(text);
  if (!parsed.ok()) return parsed;
  return std::unique_ptr<const SafetensorsFile>(std::move(file));
}

absl::StatusOr<std::unique_ptr<const SafetensorsFile>> SafetensorsFile::Parse(
    std::span<const std::byte> bytes, std::string name) {
  const absl::StatusOr<uint64_t> header = HeaderBytes(bytes, name);
  if (!header.ok()) return header.status();
  std::unique_ptr<SafetensorsFile> file(new SafetensorsFile);
  file->name_ = std::move(name);
  file->size_ = bytes.size();
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + *header);
  if (!data.empty() && reinterpret_cast<uintptr_t>(data.data()) % kDataAlignment != 0) {
    return file->Error("header length", fmt::format("{} leaves the data unaligned", *header));
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, *header);
  const absl::Status parsed = SafetensorsParser(*file, data).Parse(text);
  if (!parsed.ok()) return parsed;
  return std::unique_ptr<const SafetensorsFile>(std::move(file));
}

const SafeTensor* SafetensorsFile::FindTensor(std::string_view tensor_name) const {
  const auto found = tensor_index_.find(tensor_name);
  return found == tensor_index_.end() ? nullptr : &tensors_[found->second];
}

void SafetensorsFile::Release(std::span<const std::byte> tensor_bytes) const {
  storage_.Discard(tensor_bytes);
}

absl::Status SafetensorsFile::Error(std::string_view field, std::string_view what) const {
  return absl::InvalidArgumentError(fmt::format("{}: {}: {}", name_, field, what));
}

}  // namespace emptor::engine
