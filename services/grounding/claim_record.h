// A product as the claim checker reads it: keys with quantities and values, sentences of its text.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/claim_phrases.h"
#include "services/grounding/claim_text.h"

namespace emptor::services {

/// A number with its unit in tokens [begin, end).
struct ClaimQuantity {
  size_t begin = 0, end = 0;
  double value = 0;       // in base units
  std::string base;       // "g"; of money "$USD"; empty: a plain number
  double stated = 0;      // as it is written
  bool is_least = false;  // "$49 or more", in texts
  int unit = -1;          // of ClaimUnits

  bool is_money() const { return base.starts_with('$'); }
};

/// Every number of the tokens; "3 to 5 days" is two quantities in days. Pure.
std::vector<ClaimQuantity> FindClaimQuantities(const std::vector<ClaimToken>& tokens);

/// Sets is_least where "at least" or "or more" stands next to money. Pure.
void MarkLeastQuantities(const std::vector<ClaimToken>& tokens, std::string_view language,
                         std::vector<ClaimQuantity>& quantities);

/// Equal up to the rounding of units.
bool SameClaimQuantity(const ClaimQuantity& a, const ClaimQuantity& b);

/// What a stretch of text speaks of, in any language: of each phrase its meanings and its words.
using ClaimContent = std::vector<std::vector<std::string>>;

/// What comes first and what comes later, where a word says so: "we quote a price before we begin".
struct ClaimOrder {
  bool is_stated = false;
  ClaimContent first, then;
};
ClaimOrder FindClaimOrder(const std::vector<ClaimToken>& tokens, std::string_view language);

/// A sentence of a record or document.
struct ClaimText {
  std::vector<std::string> content;  // of all phrases, with repetitions, in the order of the text
  std::vector<ClaimQuantity> quantities;
  std::vector<std::string> words;   // of all tokens
  std::vector<std::string> denied;  // content behind "without"
  ClaimOrder order;
  bool denies_not = false, denies_no = false;  // it holds "not", or "without"
  bool is_denied = false;                      // one of them
  bool is_prose = false;                       // of a description
};

/// The currency of the sign or word at `at`, with its size in tokens; 0: none.
std::pair<std::string, size_t> FindClaimCurrency(const std::vector<ClaimToken>& tokens, size_t at);

/// The names of what a phrase means, as FindClaimContent writes them.
std::vector<std::string> NamesOfClaim(const std::vector<ClaimMeaning>& meanings);

/// The content of a text without function words. Pure.
ClaimContent FindClaimContent(const std::vector<ClaimToken>& tokens, std::string_view language);
ClaimText ReadClaimText(std::string_view text, std::string_view language);
/// The sentences of a text.
std::vector<std::string_view> SplitClaimSentences(std::string_view text);

struct ClaimKey {
  std::string name;         // words
  std::string text;         // words of the value, between blanks: " stainless steel "
  std::vector<int> values;  // of ClaimValues in it
  std::vector<ClaimQuantity> quantities;
  bool is_yes = false, is_no = false;
  bool is_less = false;   // its name ends in "free": yes is the absence of what it names
  bool is_least = false;  // "10 years and up"

  bool is_number() const { return !quantities.empty(); }
  bool is_boolean() const { return is_yes || is_no; }
};

struct ClaimRecord {
  const catalog::Product* product = nullptr;
  std::string language;
  std::vector<ClaimKey> keys;
  std::set<std::string> name_words;  // of title, brand and part number
  std::string title;                 // words, between blanks
  std::set<int> types;               // of title and categories
  std::set<int> title_types;         // of the title alone
  std::vector<ClaimText> texts;      // title, categories, attributes, description
  std::optional<double> price, was_price;
  std::string currency;

  /// The keys that a label speaks of: that of its own name, else the first one of each property.
  std::vector<const ClaimKey*> KeysOf(const std::vector<int>& properties,
                                      const std::string& label) const;
};

/// "Pages" of a key "black toner page yield": its name holds the noun, or its singular.
bool NamesNoun(const std::string& key, const std::string& noun);

ClaimRecord ReadClaimRecord(const catalog::Product& product, int64_t now_unix,
                            const catalog::Market& market);

}  // namespace emptor::services
