// The cursor of POST /v1/search: what the pages before have shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "retrieval/query/relaxation.h"

namespace emptor::services {

struct SearchCursor {
  uint64_t fingerprint = 0;  // of shop, query and filters: a cursor serves its own search only
  std::vector<retrieval::RelaxationStep> relaxed;
  std::vector<uint64_t> shown;  // HashOfId, 48 bits each
};

inline constexpr size_t kMaxCursorTextBytes = 8400;  // 1000 products

/// Opaque text: base64url of a version, the contents and the first 8 bytes of their SHA-256. Six
/// bytes for each product shown. It rests on nothing of the process: every replica and every later
/// start of the same version goes on with it. Whoever forges one changes nothing but which products
/// and whether the relaxed ones of that same public search are shown to him.
std::string EncodeSearchCursor(const SearchCursor& cursor);

/// Errors: kInvalidArgument with the reason for text that is no cursor, damaged, of another version
/// or of another search.
absl::StatusOr<SearchCursor> DecodeSearchCursor(std::string_view text, uint64_t fingerprint);

}  // namespace emptor::services
