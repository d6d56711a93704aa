// Scanners without backtracking.
#include "catalog/text_safety/screen_rules.h"

#include <algorithm>
#include <array>
#include <string>

#include "catalog/encoding/utf8.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

// Markup of chat templates and of prompts, in small letters.
constexpr std::array<View, 22> kMarkup = {
    "[inst]",          "[/inst]",    "<<sys>>",     "<</sys>>",    "<system>",   "</system>",
    "<assistant>",     "[system]",   "[assistant]", "[user]",      "<|im_start", "<|im_end",
    "<|endoftext",     "<|system",   "<|user",      "<|assistant", "<|eot_id",   "<start_of_turn>",
    "### instruction", "### system", "{{char}}",    "{{user}}"};
// Speakers at the beginning of a line.
constexpr std::array<View, 8> kSpeakers = {
    "assistant:", "human:", "user:", "chatgpt:", "gpt:", "system prompt:", "ai assistant:", "ai:"};

std::string Lowered(View text) {
  std::string lowered(text);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return lowered;
}

std::optional<size_t> FindMarkup(View lowered) {
  size_t first = View::npos;
  for (const View sign : kMarkup) first = std::min(first, lowered.find(sign));
  first = std::min(first, lowered.find("%%%"));
  for (size_t line = 0; line < lowered.size() && line < first;) {
    size_t at = lowered.find_first_not_of(" \t*#-", line);
    if (at == View::npos) break;
    const View rest = lowered.substr(at);
    const bool speaks = std::any_of(kSpeakers.begin(), kSpeakers.end(),
                                    [&](View speaker) { return rest.starts_with(speaker); });
    if (speaks) first = std::min(first, at);
    const size_t end = lowered.find('\n', at);
    if (end == View::npos) break;
    line = end + 1;
  }
  if (first == View::npos) return std::nullopt;
  return first;
}

bool IsBase64(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

int SixBits(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : 63;
}

// True when the letters decode to text: nine of ten bytes are printable ASCII.
bool DecodesToText(View letters) {
  size_t printable = 0, bytes = 0;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : letters) {
    bits = (bits << 6) | static_cast<uint32_t>(SixBits(c));
    held += 6;
    if (held < 8) continue;
    held -= 8;
    const uint32_t byte = (bits >> held) & 0xFFu;
    ++bytes;
    printable += byte == '\n' || (byte >= 0x20 && byte < 0x7F);
  }
  return bytes > 0 && printable * 10 >= bytes * 9;
}

std::optional<size_t> FindEncodedText(View text) {
  constexpr size_t kShortest = 40;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && IsBase64(text[end])) ++end;
    const View run = text.substr(begin, end - begin);
    const bool mixed =
        run.find_first_of("0123456789+/") != View::npos || text.substr(end, 1) == "=";
    if (run.size() >= kShortest && mixed && DecodesToText(run)) return begin;
    begin = end + 1;
  }
  return std::nullopt;
}

// The same few characters repeated, as in attacks on attention. Horizontal rules and dotted lines
// do not count.
std::optional<size_t> FindRepetition(View text) {
  constexpr size_t kLongestUnit = 16, kMinBytes = 48, kMinTimes = 12;
  for (size_t unit = 2; unit <= kLongestUnit; ++unit) {
    size_t run = 0;  // bytes that equal the one `unit` before
    for (size_t i = unit; i < text.size(); ++i) {
      run = text[i] == text[i - unit] ? run + 1 : 0;
      if (run < std::max(kMinBytes, unit * (kMinTimes - 1))) continue;
      const View repeated = text.substr(i - run, unit);
      if (repeated.find_first_not_of(" -_=*.~+\n\t\r") != View::npos &&
          repeated.find_first_not_of(repeated[0]) != View::npos) {
        return i - run - unit + 1;
      }
    }
  }
  return std::nullopt;
}

// ![x](https://host/?q=...): an image whose URL would exfiltrate data.
std::optional<size_t> FindCarrier(View lowered) {
  for (size_t at = lowered.find("]("); at != View::npos; at = lowered.find("](", at + 2)) {
    const View target = lowered.substr(at + 2, lowered.find(')', at) - at - 2);
    const size_t open = lowered.substr(0, at).rfind('[');
    const bool is_picture = open != View::npos && open > 0 && lowered[open - 1] == '!';
    const bool carries = target.find('{') != View::npos || target.find("history") != View::npos ||
                         target.find("conversation") != View::npos;
    const bool is_address = target.starts_with("http") || target.starts_with("//");
    if (is_address && (is_picture || carries)) return open == View::npos ? at : open;
  }
  return std::nullopt;
}

}  // namespace

std::string Excerpt(View text, size_t begin) {
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  return std::string(Utf8Prefix(text.substr(begin), 120));
}

std::optional<ScreenFinding> FindByRules(View text) {
  const std::string lowered = Lowered(text);
  if (const auto at = FindMarkup(lowered))
    return ScreenFinding{ScreenRule::kChatMarkup, "chat markup", Excerpt(text, *at)};
  if (const auto at = FindCarrier(lowered)) {
    return ScreenFinding{ScreenRule::kDataCarrier, "a link that would carry data away",
                         Excerpt(text, *at)};
  }
  if (const auto at = FindEncodedText(text)) {
    return ScreenFinding{ScreenRule::kEncodedText, "encoded text", Excerpt(text, *at)};
  }
  if (const auto at = FindRepetition(text)) {
    return ScreenFinding{ScreenRule::kRepetition, "endless repetition", Excerpt(text, *at)};
  }
  return std::nullopt;
}

}  // namespace emptor::catalog
