// Keys of the catalog store. Ids hold no zero byte, so the parts of a key are unambiguous. A record
// and its stored embedding are neighbours, in id order.
//
//   product record   'p' id 00 'r'
//   index entry      'p' id 00 'x'      (opaque bytes of the search index)
//   document record  'd' id 00 'r'
//   its index entry  'd' id 00 'x'
//   note             'n' id 00 'r'      (of class kUnknown: the seal's "others")
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace emptor::catalog {

enum class RecordClass : size_t { kProduct = 0, kDocument = 1, kStoredEmbedding = 2, kUnknown = 3 };

inline constexpr std::string_view kProductPrefix = "p";
inline constexpr std::string_view kDocumentPrefix = "d";
inline constexpr std::string_view kMetadataPrefix = "n";

/// REQUIRES: IsValidId(id).
std::string ProductKey(std::string_view id);
std::string EmbeddingKey(std::string_view id);
std::string DocumentKey(std::string_view id);
std::string DocumentEmbeddingKey(std::string_view id);
std::string MetadataKey(std::string_view name);
/// The name in a key that begins with kMetadataPrefix.
std::string_view MetadataNameOf(std::string_view key);

struct DecodedKey {
  RecordClass record_class = RecordClass::kUnknown;
  std::string_view id;  // into the key
};
/// kUnknown when `key` has none of the first four forms above.
DecodedKey DecodeKey(std::string_view key);

}  // namespace emptor::catalog
