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
  const auto product = emptor::catalog::DecodeProduct(bytes);
  if (product.ok()) Require(emptor::catalog::EncodeProduct(*product) == bytes);
  const auto document = emptor::catalog::DecodeDocument(bytes);
  if (document.ok()) Require(emptor::catalog::EncodeDocument(*document) == bytes);
}

void CheckKey(std::string_view bytes) {
  using emptor::catalog::RecordClass;
  const auto key = emptor::catalog::DecodeKey(bytes);
  switch (key.record_class) {
    case RecordClass::kProduct:
      return Require(emptor::catalog::ProductKey(key.id) == bytes);
    case RecordClass::kIndexEntry:
      return Require(emptor::catalog::IndexEntryKey(key.id) == bytes);
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
