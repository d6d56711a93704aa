// Any bytes as what lies in the store: record, key, seal. What is accepted encodes to the same
// bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "catalog/key_codec.h"
#include "catalog/record_codec.h"
#include "catalog/storage/seal.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckRecord(std::string_view bytes) {
  // An older version is read, never written.
  const bool is_current = !bytes.empty() && bytes[0] == emptor::catalog::kCatalogContentVersion;
  if (const auto product = emptor::catalog::DecodeProduct(bytes); product.ok()) {
    const std::string encoded = emptor::catalog::EncodeProduct(*product);
    Require(!is_current || encoded == bytes);
    const auto again = emptor::catalog::DecodeProduct(encoded);
    Require(again.ok() && emptor::catalog::EncodeProduct(*again) == encoded);
  }
  if (const auto document = emptor::catalog::DecodeDocument(bytes); document.ok()) {
    const std::string encoded = emptor::catalog::EncodeDocument(*document);
    Require(!is_current || encoded == bytes);
    const auto again = emptor::catalog::DecodeDocument(encoded);
    Require(again.ok() && emptor::catalog::EncodeDocument(*again) == encoded);
  }
}

void CheckKey(std::string_view bytes) {
  using emptor::catalog::RecordClass;
  const auto key = emptor::catalog::DecodeKey(bytes);
  switch (key.record_class) {
    case RecordClass::kProduct:
      return Require(emptor::catalog::ProductKey(key.id) == bytes);
    case RecordClass::kStoredEmbedding:
      return Require(emptor::catalog::EmbeddingKey(key.id) == bytes ||
                     emptor::catalog::DocumentEmbeddingKey(key.id) == bytes);
    case RecordClass::kDocument:
      return Require(emptor::catalog::DocumentKey(key.id) == bytes);
    case RecordClass::kUnknown:
      return;
  }
}

void CheckSeal(std::string_view bytes) {
  const auto log = emptor::catalog::DecodeSealLog(bytes);
  if (!log.ok()) return;
  Require(log->identity.application.size() <= 8);
  const auto header = bytes.substr(0, emptor::catalog::kSealHeaderBytes);
  Require(emptor::catalog::EncodeSealHeader(log->identity) == header);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckRecord(bytes);
  CheckKey(bytes);
  CheckSeal(bytes);
  return 0;
}
