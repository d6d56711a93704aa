// Routes of the FAQ: look-ups for shoppers, entries for the staff.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/faq/faq_answers.h"
#include "services/faq/faq_suggestions.h"
#include "services/shop/shop_reader.h"
#include "services/shop/shop_writer.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

/// All are borrowed and outlive the routes.
struct FaqRoutesParts {
  const ShopReader& reader;
  ShopWriter& writer;
  WorkerPool& workers;  // look-ups
  WorkerPool& changes;  // of single entries, and what asks about entries
  WorkerPool& imports;  // one thread
  std::function<int64_t()> now_unix;
  /// What shoppers asked about the shop, from traces; empty: no traces are kept.
  std::function<absl::StatusOr<std::vector<AskedQuestion>>()> asked;
  /// Called after each look-up; may be empty.
  std::function<void(const FaqReply&, double seconds)> on_lookup;
};

/// POST /v1/faq/lookup, GET and POST /v1/faq/entries, GET, PUT and DELETE /v1/faq/entries/{id}, GET
/// /v1/faq/changes and /v1/faq/suggestions. Replies: docs/faq.md. Entries may be meant for a later
/// day, and name who wrote them: reading them is for server keys, as changing them is.
std::vector<Route> MakeFaqRoutes(const FaqRoutesParts& parts);

}  // namespace emptor::services
