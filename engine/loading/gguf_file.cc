// Loading of GGUF files and typed access to their metadata; the parser is in gguf_parser.cc.
#include "engine/loading/gguf_file.h"

#include <cmath>
#include <limits>
#include <utility>

#include "engine/loading/gguf_parser.h"
#include "engine/tensor/file_image.h"
#include "fmt/format.h"

namespace emptor::engine {

TensorView GgufTensor::View() const {
  TensorView view{.type = type, .rows = 1, .cols = dims[0], .data = bytes.data()};
  for (size_t i = 1; i < dims.size(); ++i) view.rows *= dims[i];
  return view;
}

absl::StatusOr<std::unique_ptr<const GgufFile>> GgufFile::Load(const std::string& path) {
  absl::StatusOr<AlignedBuffer> image = ReadFileImage(path);
  if (!image.ok()) return image.status();
  std::unique_ptr<GgufFile> file(new GgufFile);
  file->name_ = path;
  file->storage_ = std::move(*image);
  file->bytes_ = file->storage_.bytes();
  const absl::Status parsed = GgufParser(*file).Parse();
  if (!parsed.ok()) return parsed;
  return std::unique_ptr<const GgufFile>(std::move(file));
}

absl::StatusOr<std::unique_ptr<const GgufFile>> GgufFile::Parse(std::span<const std::byte> bytes,
                                                                std::string name) {
  std::unique_ptr<GgufFile> file(new GgufFile);
  file->name_ = std::move(name);
  file->bytes_ = bytes;
  const absl::Status parsed = GgufParser(*file).Parse();
  if (!parsed.ok()) return parsed;
  return std::unique_ptr<const GgufFile>(std::move(file));
}

const GgufTensor* GgufFile::FindTensor(std::string_view tensor_name) const {
  const auto found = tensor_index_.find(tensor_name);
  return found == tensor_index_.end() ? nullptr : &tensors_[found->second];
}

absl::StatusOr<std::optional<StoredTensor>> GgufFile::Find(std::string_view tensor) const {
  const GgufTensor* found = FindTensor(tensor);
  if (found == nullptr) return std::optional<StoredTensor>();
  return StoredTensor{found->View(), {found->dims.rbegin(), found->dims.rend()}};
}

std::vector<std::string_view> GgufFile::TensorNames() const {
  std::vector<std::string_view> names;
  names.reserve(tensors_.size());
  for (const GgufTensor& tensor : tensors_) names.push_back(tensor.name);
  return names;
}

const GgufValue* GgufFile::FindValue(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

void GgufFile::Release(std::span<const std::byte> tensor_bytes) const {
  storage_.Discard(tensor_bytes);
}

absl::StatusOr<int64_t> GgufFile::Integer(std::string_view key, int64_t min, int64_t max,
                                          std::optional<int64_t> fallback) const {
  const GgufValue* value = FindValue(key);
  if (value == nullptr) {
    if (fallback) return *fallback;
    return Error(key, "missing");
  }
  int64_t integer = 0;
  if (const auto* u = std::get_if<uint64_t>(value)) {
    if (*u > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return Error(key, fmt::format("expected {} to {}, found {}", min, max, *u));
    }
    integer = static_cast<int64_t>(*u);
  } else if (const auto* i = std::get_if<int64_t>(value)) {
    integer = *i;
  } else {
    return Error(key, "expected an integer, found another type");
  }
  if (integer < min || integer > max) {
    return Error(key, fmt::format("expected {} to {}, found {}", min, max, integer));
  }
  return integer;
}

absl::StatusOr<double> GgufFile::Number(std::string_view key,
                                        std::optional<double> fallback) const {
  const GgufValue* value = FindValue(key);
  if (value == nullptr) {
    if (fallback) return *fallback;
    return Error(key, "missing");
  }
  const auto* number = std::get_if<double>(value);
  if (number == nullptr) return Error(key, "expected a floating-point number, found another type");
  if (!std::isfinite(*number)) return Error(key, "not finite");
  return *number;
}

absl::StatusOr<bool> GgufFile::Bool(std::string_view key, std::optional<bool> fallback) const {
  const GgufValue* value = FindValue(key);
  if (value == nullptr) {
    if (fallback) return *fallback;
    return Error(key, "missing");
  }
  const auto* boolean = std::get_if<bool>(value);
  if (boolean == nullptr) return Error(key, "expected a bool, found another type");
  return *boolean;
}

absl::StatusOr<std::string_view> GgufFile::String(std::string_view key,
                                                  std::optional<std::string_view> fallback) const {
  const GgufValue* value = FindValue(key);
  if (value == nullptr) {
    if (fallback) return *fallback;
    return Error(key, "missing");
  }
  const auto* text = std::get_if<std::string_view>(value);
  if (text == nullptr) return Error(key, "expected a string, found another type");
  return *text;
}

}  // namespace emptor::engine
