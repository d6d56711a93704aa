// SHA-256 by OpenSSL.
#include "engine/encoder/model_digest.h"

#include <array>
#include <memory>

#include "fmt/format.h"
#include "openssl/evp.h"

namespace emptor::engine {

std::string MakeModelId(const std::string& path,
                        const std::vector<std::span<const std::byte>>& parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
  for (const auto part : parts) EVP_DigestUpdate(context.get(), part.data(), part.size());
  EVP_DigestFinal_ex(context.get(), digest.data(), nullptr);
  std::string text;
  for (size_t i = 0; i < 8; ++i) text += fmt::format("{:02x}", digest[i]);
  std::string name = path;
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  const size_t slash = name.find_last_of('/');
  return fmt::format("{}:{}", name.substr(slash == std::string::npos ? 0 : slash + 1), text);
}

}  // namespace emptor::engine
