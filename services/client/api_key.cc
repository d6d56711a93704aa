// Reading and hiding keys.
#include "services/client/api_key.h"

#include <cstdlib>
#include <fstream>

namespace emptor::services {
namespace {

constexpr std::streamsize kMaxKeyBytes = 4096;

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

std::string WithoutKey(std::string text, const std::string& key) {
  for (size_t at = 0; !key.empty() && (at = text.find(key, at)) != std::string::npos;) {
    text.replace(at, key.size(), "***");
    at += 3;
  }
  return text;
}

}  // namespace emptor::services
