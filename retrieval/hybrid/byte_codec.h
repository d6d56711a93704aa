// Numbers and texts to bytes and back, checked: what the parts of the segment file share.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// After the first read behind the end everything is zero and ok() is false.
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
  std::span<const uint8_t> GetBytes(uint64_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const auto bytes = rest_.first(static_cast<size_t>(size));
    rest_ = rest_.subspan(bytes.size());
    return bytes;
  }

  bool ok() const { return ok_; }
  /// Nothing was missing and nothing is left.
  bool done() const { return ok_ && rest_.empty(); }

 private:
  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace emptor::retrieval
