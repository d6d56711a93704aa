// The cursor of POST /v1/search: what the pages before have shown, sealed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/query/relaxation.h"

namespace emptor::services {

struct SearchCursor {
  uint64_t fingerprint = 0;  // of query and filters: a cursor serves its own search only
  std::vector<retrieval::RelaxationStep> relaxed;
  std::vector<uint64_t> shown;  // HashOfId, 48 bits each
};

/// Opaque text: base64url of version, contents and the first 16 bytes of their HMAC-SHA256. Six
/// bytes for each product shown. Thread-safety: const methods.
class SearchCursorCodec {
 public:
  static constexpr size_t kMaxTextBytes = 8400;  // 1000 products

  /// A key of this process: cursors end with it.
  SearchCursorCodec();
  explicit SearchCursorCodec(std::string key) : key_(std::move(key)) {}

  std::string Encode(const SearchCursor& cursor) const;
  /// Errors: kInvalidArgument for text that this codec has not made, or made for another search.
  absl::StatusOr<SearchCursor> Decode(std::string_view text, uint64_t fingerprint) const;

 private:
  std::string Seal(std::string_view bytes) const;

  std::string key_;
};

}  // namespace emptor::services
