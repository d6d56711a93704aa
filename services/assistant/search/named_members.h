// Products of the topic's type that a question names by a part of their titles.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_table.h"
#include "services/grounding/source.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// What the question names, shown before or not: by a model ("how long does
/// the BE750G run"), a maker and a number ("the bosch 263l"), two words that stand in a row in a
/// title ("the safari pentagon") or one behind an article ("the flexcare"). Words that shoppers use
/// for attributes, values and types name nothing. The best match first; variants of it, at most
/// three; those of the list before others. Empty: nothing is named, or what is named is not of the
/// type. `table` may be null. Errors: those of the store.
absl::StatusOr<std::vector<Source>> FindNamedMembers(const ShopReader& shop, const TypeTable* table,
                                                     const Understanding& understanding);

}  // namespace emptor::services
