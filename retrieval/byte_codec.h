// Encoding and checked decoding of numbers and texts, for the parts of the segment file.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace emptor::retrieval {

class ByteWriter {
 public:
  template <typename T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void PutText(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    bytes_ += text;
  }
  /// The number of elements, then their bytes in memory. REQUIRES: a type without padding.
  template <typename T>
  void PutArray(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    Put(static_cast<uint64_t>(values.size()));
    if (!values.empty()) {
      bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// After the first read past the end every value is zero and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  template <typename T>
  T Get() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    const auto bytes = GetBytes(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string_view GetText() {
    const auto bytes = GetBytes(Get<uint32_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  template <typename T>
  std::vector<T> GetArray() {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto count = Get<uint64_t>();
    const auto bytes = GetBytes(count > rest_.size() ? UINT64_MAX : count * sizeof(T));
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::span<const uint8_t> GetBytes(uint64_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const auto bytes = rest_.first(static_cast<size_t>(size));
    rest_ = rest_.subspan(bytes.size());
    return bytes;
  }

  bool ok() const { return ok_; }
  /// True when every byte was read and none was missing.
  bool done() const { return ok_ && rest_.empty(); }

 private:
  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace emptor::retrieval
