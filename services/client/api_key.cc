// Reading and hiding keys.
#include "services/client/api_key.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>

namespace emptor::services {
namespace {

constexpr std::streamsize kMaxKeyBytes = 4096;

/// A character as JSON may write it, literally or escaped; `at` is moved behind it. 0: none that a
/// key could hold.
char ReadEscapable(std::string_view text, size_t& at) {
  const char first = text[at++];
  if (first != '\\') return first;
  const char kind = at < text.size() ? text[at++] : '\0';
  if (kind == '"' || kind == '\\' || kind == '/') return kind;
  if (kind != 'u' || text.size() - at < 4) return '\0';
  unsigned code = 0;
  const char* end = text.data() + at + 4;
  const auto read = std::from_chars(text.data() + at, end, code, 16);
  at += 4;
  return read.ec == std::errc() && read.ptr == end && code < 0x80 ? static_cast<char>(code) : '\0';
}

/// How much of the beginning of `text` is the key; 0: it does not begin with it.
size_t KeyLengthIn(std::string_view text, std::string_view key) {
  if (text.starts_with(key)) return key.size();
  size_t at = 0;
  for (const char each : key) {
    if (at == text.size() || ReadEscapable(text, at) != each) return 0;
  }
  return at;
}

}  // namespace

absl::StatusOr<std::string> ReadApiKey(const std::string& owner, const std::string& key_env,
                                       const std::string& key_file) {
  std::string key, place;
  if (!key_env.empty()) {
    place = "key_env: " + key_env;
    const char* value = std::getenv(key_env.c_str());
    if (value != nullptr) key = value;
  } else if (!key_file.empty()) {
    place = "key_file: " + key_file;
    std::ifstream file(key_file, std::ios::binary);
    key.resize(kMaxKeyBytes);
    file.read(key.data(), kMaxKeyBytes);
    key.resize(static_cast<size_t>(file.gcount()));
  } else {
    return key;
  }
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r' || key.back() == ' ')) {
    key.pop_back();
  }
  if (key.empty()) return absl::NotFoundError(owner + ": " + place + ": holds no key");
  for (const unsigned char c : key) {
    if (c > 0x20 && c < 0x7f) continue;
    return absl::InvalidArgumentError(owner + ": " + place +
                                      ": expected a line of printable characters");
  }
  return key;
}

std::string WithoutKey(std::string_view text, std::string_view key) {
  if (key.empty()) return std::string(text);
  std::string hidden;
  while (!text.empty()) {
    const size_t length = KeyLengthIn(text, key);
    if (length > 0) {
      hidden += "***";
    } else {
      hidden += text.front();
    }
    text.remove_prefix(std::max<size_t>(1, length));
  }
  return hidden;
}

}  // namespace emptor::services
