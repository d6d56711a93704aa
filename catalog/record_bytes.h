// Private to record_codec.cc: varints, tagged fields, and a reader that never reads beyond its
// bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "catalog/product.h"

namespace emptor::catalog {

inline void AppendVarint(uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80u);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

inline uint64_t ZigZag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

inline int64_t UnZigZag(uint64_t value) {
  return static_cast<int64_t>((value >> 1) ^ (0 - (value & 1)));
}

inline void AppendInteger(int64_t value, std::string& out) { AppendVarint(ZigZag(value), out); }

inline void AppendAmount(const Money& money, std::string& out) {
  AppendInteger(money.amount, out);
  out += money.currency;
}

inline void AppendSized(std::string_view text, std::string& out) {
  AppendVarint(text.size(), out);
  out += text;
}

/// A version byte, then fields: tag byte, length varint, payload.
class Encoder {
 public:
  explicit Encoder(char version) : out_(1, version) {}

  template <typename Tag>
  void Field(Tag tag, std::string_view payload) {
    out_ += static_cast<char>(tag);
    AppendVarint(payload.size(), out_);
    out_ += payload;
  }
  template <typename Tag>
  void Text(Tag tag, std::string_view text) {
    if (!text.empty()) Field(tag, text);
  }
  template <typename Tag>
  void Integer(Tag tag, int64_t value) {
    std::string payload;
    AppendInteger(value, payload);
    Field(tag, payload);
  }
  template <typename Tag>
  void Amount(Tag tag, const std::optional<Money>& money) {
    if (!money) return;
    std::string payload;
    AppendAmount(*money, payload);
    Field(tag, payload);
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reads from the front; a failed read makes ok() false and gives zeros from then on.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  void Fail() { ok_ = false; }

  uint8_t Byte() {
    const std::string_view byte = Bytes(1);
    return byte.empty() ? 0 : static_cast<uint8_t>(byte[0]);
  }
  std::string_view Bytes(size_t count) {
    if (!ok_ || count > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }
  std::string_view Rest() { return Bytes(rest_.size()); }
  // Only the shortest encoding of a number is accepted.
  uint64_t Varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      const uint64_t bits = byte & 0x7Fu;
      if (shift == 63 && bits > 1) break;
      value |= bits << shift;
      if ((byte & 0x80u) == 0) {
        if (byte == 0 && shift > 0) Fail();
        return ok_ ? value : 0;
      }
    }
    Fail();
    return 0;
  }
  int64_t Integer() { return UnZigZag(Varint()); }
  std::string Sized() { return std::string(Bytes(Varint())); }
  // A byte of which only the lowest `bits` may be set.
  unsigned Flags(unsigned bits) {
    const unsigned byte = Byte();
    if ((byte >> bits) != 0) Fail();
    return byte;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

/// One payload, decoded; `ok` of the outer decoder becomes false when bytes of the payload remain.
template <typename Decode>
auto DecodePayload(Decoder& outer, std::string_view payload, Decode decode) {
  Decoder inner(payload);
  auto value = decode(inner);
  if (!inner.ok() || !inner.at_end()) outer.Fail();
  return value;
}

}  // namespace emptor::catalog
