// Which products of a type a few words name: "the ember", "samsung", "boat rockerz 235".
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/types/type_table.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// Words of a message that may name products.
struct NameWords {
  std::vector<std::string> words;      // folded, in the order of the message
  std::set<std::string> ignored = {};  // words of the type's own name
  std::set<std::string> context = {};  // of the other names of the message, for names that are cut
};

/// What a word can say of which product is meant, by itself.
enum class NameEvidence : uint8_t {
  kNone,
  kWord,   // of a lexicon: "ember"; an ordinary one behind an article
  kMaker,  // several titles of the type begin with it
  kName,   // of no lexicon
  kModel,  // letters and digits, or a number
};

/// The products of the type that the words name best, all alike.
struct NameMatch {
  std::vector<catalog::Product> products;  // empty: nothing is named
  bool is_sure = false;   // by a maker, a model or a word of no lexicon; else by ordinary words
  bool is_maker = false;  // by a maker alone
};

/// Products whose titles have the words. A model or a name outweighs a maker, a maker a word of a
/// lexicon, which counts only near the beginning of a title; words that stand in a row count more.
/// A word that no record of the type has names nothing, and where it must be a model or a name,
/// nothing is named at all: "philips minivac", of a type without one. Errors: those of the store.
absl::StatusOr<NameMatch> MatchName(const ShopReader& shop, const TypeTable& table,
                                    const NameWords& name);

/// Whatever the records have. Pure.
NameEvidence EvidenceOf(const TypeTable& table, const NameWords& name, size_t at);

/// The folded words of a message, with a "," wherever a mark ends a part. Chinese words part where
/// the script changes, and at the characters that join: "boat", "和", "noise". Pure.
std::vector<std::string> WordsAndMarks(const std::string& message);

/// What a message means that is about these products and searches nothing: its text and language,
/// the type and the latest list. Pure.
Understanding AboutProducts(Understanding understanding, std::vector<std::string> products);

/// A folded word that no lexicon has: "torvane". Pure.
bool IsUnknownWord(const std::string& word);

/// "The", "der", "la". Pure.
bool IsArticle(const std::string& word);

}  // namespace emptor::services
