// The claim checker: may a sentence of a model leave? Only if plan and records entail all it says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/source.h"

namespace emptor::services {

/// What kind of claim failed.
enum class ClaimRule {
  kNone,
  kReference,    // a citation or link of another product
  kName,         // a name that no source holds
  kNumber,       // a number, amount or bound
  kValue,        // a value, or an attribute that is not so
  kComparison,   // a comparison, its direction, or a superlative
  kStock,        //
  kSale,         //
  kPolarity,     // a yes that is a no
  kDenial,       // "does not say" of what the record says
  kQuantifier,   // "both", "none", "only"
  kPolicy,       // no document entails it
  kUnknownWord,  // a word that is neither understood nor in a record
};
inline constexpr int kClaimRules = 13;
std::string_view ToString(ClaimRule rule);

/// The product that code has ranked first in the whole shop.
struct ClaimRank {
  std::string key;  // "price", "rating", "reviews", or an attribute's name
  bool is_least = false;
  std::string winner;  // its id
};

struct ClaimSources {
  std::vector<Source> sources;  // [n - 1]; products with their live records
  std::string language;         // of the sentences: "en", "de", "fr", "es", "zh"
  std::string question;
  std::optional<ClaimRank> rank;
  int64_t now_unix = 0;
  catalog::Market market = {};
};

/// A fact that a sentence states: `key` of the source n.
struct StatedClaim {
  int source = 0;
  std::string key;  // as in Statement: "price", "availability", "rating", "reviews", an attribute
  bool is_best = false;  // it ranks first by the key
  friend bool operator==(const StatedClaim&, const StatedClaim&) = default;
};

struct ClaimVerdict {
  bool is_entailed = false;
  ClaimRule rule = ClaimRule::kNone;  // of the first claim that fails
  std::string claim;                  // its words
  std::vector<StatedClaim> stated;    // of an entailed sentence
  std::optional<bool> answer;         // "Yes, ...", "No, ..."
  bool is_denial = false;             // it says that the record does not say
  int subject = 0;                    // source that the sentence was about last; 0: none
};

/// Reads sentences of an answer. Precision comes first: a sentence with a word that it does not
/// understand is not entailed.
/// Thread-safety: const methods from any thread. Cost: linear in the records, once.
class ClaimChecker {
 public:
  explicit ClaimChecker(ClaimSources sources);
  ~ClaimChecker();
  ClaimChecker(ClaimChecker&&) noexcept;
  ClaimChecker& operator=(ClaimChecker&&) noexcept;

  /// `sentence` is plain Markdown with facts in place of references, perhaps with "[2]".
  /// `previous` is the source that the sentence before was about, 0 for none.
  ClaimVerdict Check(std::string_view sentence, int previous = 0) const;

 private:
  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace emptor::services
