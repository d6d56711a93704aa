// Minimal pairs: questions that differ from an entry in one fact, and paraphrases of it.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/eval/faq_sets.h"

namespace emptor::services {

/// How entries are split by their id: one in five is sealed, two are fitted on, two reported.
enum class MinimalPairSide { kSealed, kFit, kReport };
MinimalPairSide SideOfEntry(std::string_view id);

/// Lines of {"id", "kind", "text", "why"}: `id` names the entry; `kind` is entry, paraphrase (the
/// entry answers it) or near (nothing does; `why` names the difference). Every task has all entries
/// as its FAQ. The first reports the open entries, the second the sealed ones. Pure.
/// Errors: kInvalidArgument with the line.
absl::StatusOr<std::vector<FaqTask>> ReadMinimalPairTasks(std::string_view text);

}  // namespace emptor::services
