// Requests and replies of the FAQ's routes: docs/faq.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/encoding/json.h"
#include "catalog/faq/faq_import.h"
#include "catalog/faq/faq_store.h"
#include "services/faq/faq_answers.h"
#include "services/http/exchange.h"

namespace emptor::services {

// Errors of each: kInvalidArgument, "field: what is wrong".

/// The body of a look-up: {"question","locale"?,"currency"?}.
absl::StatusOr<FaqQuestion> ParseFaqQuestion(std::string_view body);
absl::StatusOr<FaqQuestion> ReadFaqQuestion(const catalog::JsonValue& value);
std::string FaqReplyJson(const FaqReply& reply);

/// ?cursor=...&limit=1..1000.
struct FaqPageQuery {
  std::string cursor;
  size_t limit = 100;
};
absl::StatusOr<FaqPageQuery> ParsePage(const Request& request);

/// If-Match and If-None-Match.
absl::StatusOr<catalog::FaqMatch> MatchOf(const Request& request);

/// ?locale=...&dry_run=true, and the content type. Errors: also kUnimplemented (a type that no
/// reader takes).
struct FaqImportQuery {
  catalog::FaqFormat format = catalog::FaqFormat::kAuto;
  std::string locale;
  bool dry_run = false;
};
absl::StatusOr<FaqImportQuery> ParseFaqImport(const Request& request);

/// Members of an entry: its own, `etag`, `status` (valid, pending, expired, broken), `broken`.
std::string_view StatusOfFaqEntry(const catalog::FaqEntry& entry, bool is_broken, int64_t now_unix);
void WriteFaqEntry(const catalog::FaqEntry& entry, std::span<const std::string> broken,
                   int64_t now_unix, catalog::JsonWriter& writer);
/// {"changes":[...],"next_cursor"?} of what follows change number `after`. Errors: of the store.
absl::StatusOr<std::string> FaqChangesJson(const catalog::FaqStore& entries, uint64_t after,
                                           size_t limit);
/// The member `warnings`, where there are some.
void WriteFaqWarnings(std::span<const catalog::TextWarning> warnings, catalog::JsonWriter& writer);

}  // namespace emptor::services
