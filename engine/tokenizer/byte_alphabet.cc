// Builds GPT-2's byte alphabet.
#include "engine/tokenizer/byte_alphabet.h"

namespace emptor::engine {
namespace {

bool StandsForItself(int byte) {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

}  // namespace

ByteAlphabet::ByteAlphabet() {
  bytes_.fill(-1);
  int next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    const int code_point = StandsForItself(byte) ? byte : next++;
    bytes_[static_cast<size_t>(code_point)] = static_cast<int16_t>(byte);
    std::string& character = characters_[static_cast<size_t>(byte)];
    if (code_point < 0x80) {
      character = static_cast<char>(code_point);
    } else {
      character = {static_cast<char>(0xc0 | (code_point >> 6)),
                   static_cast<char>(0x80 | (code_point & 0x3f))};
    }
  }
}

const ByteAlphabet& ByteAlphabet::Get() {
  static const ByteAlphabet alphabet;
  return alphabet;
}

std::optional<std::string> ByteAlphabet::Decode(std::string_view text) const {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<uint8_t>(text[i]);
    unsigned code_point = lead;
    if (lead >= 0x80) {
      // Two-byte characters only: the alphabet ends at U+0143.
      if ((lead & 0xe0) != 0xc0 || i + 1 >= text.size()) return std::nullopt;
      const auto trail = static_cast<uint8_t>(text[++i]);
      if ((trail & 0xc0) != 0x80) return std::nullopt;
      code_point = (lead & 0x1fu) << 6 | (trail & 0x3fu);
    }
    if (code_point >= bytes_.size() || bytes_[code_point] < 0) return std::nullopt;
    out += static_cast<char>(bytes_[code_point]);
  }
  return out;
}

}  // namespace emptor::engine
