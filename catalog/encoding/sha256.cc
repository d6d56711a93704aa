// SHA-256 by OpenSSL.
#include "catalog/encoding/sha256.h"

#include <openssl/evp.h>

#include <cassert>

namespace emptor::catalog {

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~Impl() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {
  [[maybe_unused]] const int ok = EVP_DigestInit_ex(impl_->context, EVP_sha256(), nullptr);
  assert(ok == 1);
}

Sha256::~Sha256() = default;

void Sha256::Update(const void* data, size_t size) {
  [[maybe_unused]] const int ok = EVP_DigestUpdate(impl_->context, data, size);
  assert(ok == 1);
}

Digest Sha256::Finish() {
  Digest digest = {};
  [[maybe_unused]] const int ok = EVP_DigestFinal_ex(impl_->context, digest.data(), nullptr);
  assert(ok == 1);
  return digest;
}

Digest ComputeSha256(const void* data, size_t size) {
  Sha256 hash;
  hash.Update(data, size);
  return hash.Finish();
}

}  // namespace emptor::catalog
