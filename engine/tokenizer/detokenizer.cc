// Incremental UTF-8 assembly.
#include "engine/tokenizer/detokenizer.h"

#include <cstdint>

namespace emptor::engine {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

struct LeadByte {
  int length;         // of the whole character; 0: no lead byte
  uint8_t low, high;  // range of the second byte (Unicode 15, table 3-7)
};

LeadByte Classify(uint8_t lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xc2) return {0, 0, 0};
  if (lead < 0xe0) return {2, 0x80, 0xbf};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead < 0xf0) return {3, 0x80, 0xbf};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead < 0xf4) return {4, 0x80, 0xbf};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

int Utf8Prefix(std::string_view bytes) {
  const LeadByte lead = Classify(static_cast<uint8_t>(bytes[0]));
  if (lead.length == 0) return -1;
  for (int i = 1; i < lead.length; ++i) {
    if (static_cast<size_t>(i) >= bytes.size()) return 0;
    const auto byte = static_cast<uint8_t>(bytes[static_cast<size_t>(i)]);
    const uint8_t low = i == 1 ? lead.low : 0x80;
    const uint8_t high = i == 1 ? lead.high : 0xbf;
    if (byte < low || byte > high) return -i;
  }
  return lead.length;
}

std::string Detokenizer::AppendBytes(std::string_view bytes) {
  pending_ += bytes;
  std::string out;
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const int length = Utf8Prefix(rest);
    if (length == 0) break;
    if (length > 0) {
      out += rest.substr(0, static_cast<size_t>(length));
      rest.remove_prefix(static_cast<size_t>(length));
    } else {
      out += kReplacement;
      rest.remove_prefix(static_cast<size_t>(-length));
    }
  }
  pending_.erase(0, pending_.size() - rest.size());
  return out;
}

std::string Detokenizer::Append(TokenId token) {
  if (!vocabulary_->Contains(token)) return "";
  return AppendBytes(vocabulary_->Bytes(token));
}

std::string Detokenizer::Flush() {
  if (pending_.empty()) return "";
  pending_.clear();
  return std::string(kReplacement);
}

}  // namespace emptor::engine
