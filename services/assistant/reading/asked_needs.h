// What a shopper asked of goods, need by need, and which of it products meet.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "retrieval/filter/filter.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/schema/type_schema.h"

namespace emptor::services {

/// One thing that the shopper named: a condition of the filter, a wish, or a word of the record.
struct AskedNeed {
  enum class Kind : uint8_t {
    kPrice,
    kBrand,
    kColour,
    kAttribute,
    kRange,
    kWish,   // an attribute's better half: "quiet"; the best of what was found: "cheap"
    kWord,   // of title, values or description
    kOther,  // rating, condition, stock
  };
  Kind kind = Kind::kWord;
  std::string text = {};             // as the shopper said it; empty: the condition says it
  double weight = 1;                 // of what is not met, against other needs
  retrieval::Filter condition = {};  // this need alone; empty for a word
  std::optional<WordCondition> word = {};
  std::optional<RankedKey> preferred = {};  // of a wish without a condition: "cheap"
  /// A quantity of an attribute that no record of the type has: another one of the same unit in a
  /// title is not it.
  bool is_absent = false;
  bool is_inherited = false;  // a word of an earlier turn
};

/// Whether a record meets a need. What a record does not mention may still be so.
enum class NeedVerdict : uint8_t { kMet, kNotStated, kViolated };

/// The needs of a search, and the verdicts on its products, in the order of the needs.
struct NeedReport {
  std::vector<AskedNeed> needs;
  std::map<std::string, std::vector<NeedVerdict>> verdicts;  // by product id

  /// Null: the product was not judged.
  const std::vector<NeedVerdict>* Of(const std::string& product_id) const;
};

/// "Around 900", in minor units; nothing where a price is a bound or none is named. Pure.
std::optional<int64_t> PriceNear(const Understanding& understanding);

/// The needs of a search with this filter and these words. What a follow-up says itself weighs more
/// than what it inherits. Exclusions are no needs: no search gives them up. Pure.
std::vector<AskedNeed> NeedsOf(const Understanding& understanding, const retrieval::Filter& filter,
                               const std::vector<WordCondition>& words,
                               const std::optional<WordCondition>& fit, const TypeSchema* schema);

}  // namespace emptor::services
