// By OpenSSL's EVP codec, which is more lenient than the RFC: the text is checked before.
#include "catalog/encoding/base64.h"

#include <openssl/evp.h>

#include <algorithm>
#include <climits>

namespace emptor::catalog {
namespace {

constexpr size_t kMaxBytes = INT_MAX / 4;  // the codec counts in int

bool IsDigit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

// OpenSSL's codec over at most kMaxBytes, a multiple of three.
void AppendEncoded(std::string_view bytes, std::string& text) {
  const size_t begin = text.size();
  text.resize(begin + (bytes.size() + 2) / 3 * 4 + 1);  // it ends with a NUL
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data() + begin),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(begin + static_cast<size_t>(length));
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  constexpr size_t kPart = kMaxBytes / 3 * 3;
  std::string text;
  for (; bytes.size() > kPart; bytes.remove_prefix(kPart))
    AppendEncoded(bytes.substr(0, kPart), text);
  AppendEncoded(bytes, text);
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  const size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::string_view digits = text.substr(0, text.size() - padding);
  if (text.size() % 4 != 0 || text.size() > kMaxBytes ||
      !std::all_of(digits.begin(), digits.end(), IsDigit)) {
    return std::nullopt;
  }
  std::string bytes(text.size() / 4 * 3, '\0');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(text.data()),
                                     static_cast<int>(text.size()));
  if (length != static_cast<int>(bytes.size())) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  return bytes;
}

std::string EncodeBase64Url(std::string_view bytes) {
  std::string text = EncodeBase64(bytes);
  text.erase(text.find_last_not_of('=') + 1);
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return text;
}

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos) return std::nullopt;
  std::string padded(text);
  for (char& c : padded) c = c == '-' ? '+' : c == '_' ? '/' : c;
  padded.append((4 - padded.size() % 4) % 4, '=');
  auto bytes = DecodeBase64(padded);
  if (!bytes || EncodeBase64Url(*bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace emptor::catalog
