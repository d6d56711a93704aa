// See the drawing in the header.
#include "catalog/key_codec.h"

#include <cassert>

#include "catalog/product.h"

namespace emptor::catalog {
namespace {

constexpr size_t kOverhead = 3;  // prefix, zero byte, suffix

std::string MakeKey(char prefix, std::string_view id, char suffix) {
  assert(IsValidId(id));
  std::string key;
  key.reserve(id.size() + kOverhead);
  key += prefix;
  key += id;
  key += '\0';
  key += suffix;
  return key;
}

RecordClass ClassOf(char prefix, char suffix) {
  if (prefix == 'p' && suffix == 'r') return RecordClass::kProduct;
  if (prefix == 'p' && suffix == 'x') return RecordClass::kStoredEmbedding;
  if (prefix == 'd' && suffix == 'r') return RecordClass::kDocument;
  if (prefix == 'd' && suffix == 'x') return RecordClass::kStoredEmbedding;
  return RecordClass::kUnknown;
}

}  // namespace

std::string ProductKey(std::string_view id) { return MakeKey('p', id, 'r'); }
std::string EmbeddingKey(std::string_view id) { return MakeKey('p', id, 'x'); }
std::string DocumentKey(std::string_view id) { return MakeKey('d', id, 'r'); }
std::string DocumentEmbeddingKey(std::string_view id) { return MakeKey('d', id, 'x'); }
std::string MetadataKey(std::string_view name) { return MakeKey('n', name, 'r'); }

std::string_view MetadataNameOf(std::string_view key) {
  return key.size() > kOverhead ? key.substr(1, key.size() - kOverhead) : std::string_view();
}

DecodedKey DecodeKey(std::string_view key) {
  if (key.size() <= kOverhead || key[key.size() - 2] != '\0') return {};
  const std::string_view id = key.substr(1, key.size() - kOverhead);
  const RecordClass record_class = ClassOf(key.front(), key.back());
  if (record_class == RecordClass::kUnknown || !IsValidId(id)) return {};
  return {record_class, id};
}

}  // namespace emptor::catalog
