// The products that a follow-up names by itself: "how much is the crompton", "does the sycamore
// come with a strap".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_table.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

struct SubjectInput {
  const ShopReader& shop;
  const TypeTable& table;              // of the topic
  const Understanding& understanding;  // of the topic's type
  const std::vector<ConversationTurn>& turns;
  /// The message names goods of another type, unless the word is the name of a product: "do you
  /// have the brick in 2 tb".
  bool names_other_type = false;
};

/// Products of the topic's type, at most three, those that were shown before others. A maker, a
/// model or a name of no lexicon is looked for among all products of the type, a word of a lexicon
/// behind an article among those that were shown. Empty: nothing is named, or what is named is in
/// question anyhow. Errors: those of the store.
absl::StatusOr<std::vector<std::string>> FindNamedSubject(const SubjectInput& input);

/// Understanding::turn_rule of WithSubject.
inline constexpr std::string_view kNamesProducts = "names products";

/// What a message means that asks about `products` and searches nothing. Pure.
Understanding WithSubject(Understanding understanding, std::vector<std::string> products);

/// A message that asks what one of each of these costs together. Pure.
Understanding WithSum(Understanding understanding, std::vector<std::string> products);

/// "Anything else by the same author": a product of the conversation that the message wants others
/// to be like, and in which attribute.
struct SharedValue {
  std::string product;
  retrieval::AttributeCondition condition;  // no name: no value is shared
};

/// Errors: those of the store.
absl::StatusOr<SharedValue> FindSharedValue(const SubjectInput& input);

/// "The same in 65 litres", "do you have it in blue": products of the line of the one in question
/// that meet what the message says, at most three. Empty: none, or no variant is asked for. Errors:
/// those of the store.
absl::StatusOr<std::vector<std::string>> FindVariants(const SubjectInput& input, int64_t now_unix,
                                                      const catalog::Market& market);

/// The search of the latest turn, limited to what has the value. Pure.
Understanding WithSharedValue(Understanding understanding, const ConversationTurn& last,
                              SharedValue value);

}  // namespace emptor::services
