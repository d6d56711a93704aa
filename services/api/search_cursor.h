// The cursor of POST /v1/search: the products that earlier pages have shown.
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
  uint64_t fingerprint = 0;  // of shop, query and filters: a cursor is valid for one search
  std::vector<retrieval::RelaxationStep> relaxed;
  std::vector<uint64_t> shown;  // ShownKey, 48 bits each
};

inline constexpr size_t kMaxCursorTextBytes = 8400;  // 1000 products

/// Opaque text: base64url of a version, the contents and the first 8 bytes of their SHA-256. Six
/// bytes for each product shown. It refers to no state of the process: every replica and every
/// later start of the same version accepts it. A forged cursor only changes which products of that
/// public search its sender sees.
std::string EncodeSearchCursor(const SearchCursor& cursor);

/// Errors: kInvalidArgument with the reason for text that is no cursor, damaged, of another version
/// or of another search.
absl::StatusOr<SearchCursor> DecodeSearchCursor(std::string_view text, uint64_t fingerprint);

}  // namespace emptor::services
