// The entry of the FAQ that asks the same as a message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "services/assistant/events/assist_events.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/grounding/source.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct FaqSourceInput {
  const Understanding& understanding;
  const std::string& question;
  const catalog::Market& market;
  int64_t now_unix = 0;
};

struct FaqSource {
  CacheUse cache = CacheUse::kBypass;  // whether the FAQ was asked, and had the answer
  /// A hit: an entry as a document whose text is filled from the records, or the document.
  std::optional<Source> source;
};

/// Asks the FAQ where the message is a single question about the shop that stands for itself. What
/// it finds outranks entries that share only the topic. Errors: those of the stores.
absl::StatusOr<FaqSource> FindFaqSource(const ShopReader& shop, const FaqSourceInput& input);

/// Of a question about a policy that is a part of a message: what the FAQ has for it, else the
/// entry about its topic in language `own`, else in English. Errors: those of the search and the
/// stores.
absl::StatusOr<std::optional<Source>> FindPolicyEntry(const ShopReader& shop,
                                                      const FaqSourceInput& input,
                                                      const std::string& own);

}  // namespace emptor::services
