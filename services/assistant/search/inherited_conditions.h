// Follow-ups whose own conditions exclude what earlier messages said: "any DisplayPort ones?" after
// "an HDMI cable of 5 m".
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/search/retriever.h"

namespace emptor::services {

/// The same with fewer of the conditions that the message inherited: without attributes and
/// quantities, without one of the words, without words, with its own alone. Those that change
/// nothing are left out. Words that `records` show as makers are given up last; null: none. Pure.
std::vector<Understanding> WithFewerInherited(const Understanding& understanding,
                                              const RecordWords* records = nullptr);

/// What the message says itself is not met: a condition of it was given up, or the first product
/// lacks a word of it. Pure.
bool FailsSaid(const Understanding& understanding, const Retrieved& retrieved);

/// As Retrieve. Where what a follow-up says itself is not met, conditions that it inherited are
/// given up before it; they count as relaxed. Errors: those of Retrieve.
absl::StatusOr<Retrieved> RetrieveFollowUp(const ShopReader& shop, const RetrieverOptions& options,
                                           const RetrievalInput& input);

}  // namespace emptor::services
