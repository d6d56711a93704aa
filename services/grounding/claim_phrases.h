// What phrases mean to the claim checker: data/lexicon/claims.txt with the words for attributes,
// degrees, values and types, one index of phrases for each language.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "services/grounding/claim_text.h"

namespace emptor::services {

/// What a phrase does in a sentence. The lines of claims.txt are named after the first ones.
enum class ClaimRole {
  kFiller,       // says nothing: articles, copulas, courtesy
  kAnd,          // begins a clause
  kOr,           //
  kBut,          // begins a clause: "while", "whereas"
  kNot,          // denies the rest of its clause
  kNo,           // denies what follows: "no", "without"
  kThan,         // before the product that another one is compared with
  kUnlike,       // the product behind it is the opposite
  kMore,         // a greater value of the attribute that is named
  kLess,         //
  kHighest,      // "most"
  kLowest,       // "least"
  kSame,         // "as heavy as"
  kCheaper,      //
  kDearer,       //
  kBetterRated,  //
  kWorseRated,   //
  kMoreReviewed,
  kAtLeast,
  kAtMost,
  kOver,
  kUnder,
  kAbout,
  kInStock,
  kOutOfStock,
  kPreorder,
  kBackorder,
  kOnSale,
  kWasPrice,     // before the price before a sale
  kSaving,       // before or behind an amount that a sale takes off
  kPrice,        //
  kRating,       //
  kReviews,      //
  kTotal,        // "together"
  kSays,         // "mentions": with a negation the record is silent
  kSilent,       // "is not stated"
  kNothing,      // "none of them"
  kBoth,         // two products
  kAll,          //
  kOnly,         // of no other product
  kYes,          //
  kNoAnswer,     // "No, ..."
  kPronoun,      // the product of the sentence before
  kListing,      // "the product page"
  kSuperlative,  // makes a superlative of a comparative: "le plus", "am"
  kHyphenLess,   // "-free": denies the word before
  kUnless,       // an exception, or a condition: never read
  kRange,        // between two numbers
  kOfThem,       // behind a number: "of them"
  kShop,         // "in our shop": a superlative is about all its products
  kOthers,       // "the other two"
  kTwice,        //
  kHalf,         //
  kEnough,       // the number before it is a least one
  kTimes,        // behind a number: "times as"
  kOne,          // "one of them"
  kArticle,      // a filler before a name
  kBuiltIn,      // "built in": of a part that the record does not describe otherwise
  kBest,         // "better": by the rating alone
  kOffer,        // "let me know": the sentence offers or asks
  kAffirm,       // a filler: "the K70 does", behind a denial
  kCondition,    // a filler: "if", before what the shopper wants
  kRelative,     // a filler: "which", of the product named last
  kBy,           // a filler between a comparative and its difference
  kStrongVerb,   // states something of its own: "floats", "outlasts"
  kTalk,         // states nothing, unless the word means something else as well
  kUnit,         // index: of ClaimUnits
  kNumber,       // index: the number
  kCurrency,     // index: of ClaimCurrencies
  kNth,          // index: of the product that is meant, from 1: "the first one"
  kConcept,      // one meaning in five languages; index: its line
  kLabel,        // index: of ClaimProperties
  kLower,        // a comparative of a property; index as above
  kHigher,
  kLow,  // a degree of a property; index as above
  kHigh,
  kYesDegree,
  kVerb,   // index: of ClaimVerbs
  kValue,  // index: of ClaimValues
  kType,   // index: of ClaimTypes
};

/// A filler that shapes the sentence; it states nothing of a product.
constexpr bool IsClaimGrammar(ClaimRole role) {
  return role == ClaimRole::kArticle || (role >= ClaimRole::kAffirm && role <= ClaimRole::kBy);
}

struct ClaimMeaning {
  ClaimRole role = ClaimRole::kFiller;
  int index = 0;
  friend bool operator==(const ClaimMeaning&, const ClaimMeaning&) = default;
};

/// Phrases by their first word. Thread-safety: const methods.
class ClaimPhraseIndex {
 public:
  void Add(std::vector<std::string> words, ClaimMeaning meaning);

  struct Match {
    size_t size = 0;  // tokens; 0: none
    std::vector<ClaimMeaning> meanings;
  };
  /// The longest phrases that begin at `at`; a plural "s" makes no difference.
  Match Find(const std::vector<ClaimToken>& tokens, size_t at) const;

 private:
  struct Entry {
    std::vector<std::string> words;
    ClaimMeaning meaning;
  };
  void FindBy(const std::string& first, const std::vector<ClaimToken>& tokens, size_t at,
              bool is_exact, Match& longest) const;

  std::unordered_map<std::string, std::vector<Entry>> entries_;
};

/// One line of attributes.txt: the names of one property in records.
struct ClaimProperty {
  std::vector<std::string> names;   // words joined by blanks, the most usual name first
  std::vector<std::string> labels;  // its plain names in the five languages
};

struct ClaimUnit {
  std::string base;  // "g"
  double factor = 1;
};

/// One name of a product type.
struct ClaimTypeName {
  std::string language;
  std::vector<std::string> words;
};

/// All that the files hold; built once for a language. Thread-safety: immutable.
const ClaimPhraseIndex& ClaimPhrases(std::string_view language);
/// Units of measure and currencies alone.
const ClaimPhraseIndex& ClaimUnitPhrases();
const std::vector<ClaimProperty>& ClaimProperties();
const std::vector<ClaimUnit>& ClaimUnits();
/// The properties that a verb may be about: of "lasts" battery life, run time, filter life.
const std::vector<std::vector<int>>& ClaimVerbs();
/// The names of each type of types.txt.
const std::vector<std::vector<ClaimTypeName>>& ClaimTypes();
const std::vector<std::string>& ClaimCurrencies();
/// Words in the names of keys that are measured in this base unit; a record may leave the unit out.
const std::vector<std::string>& ClaimKeyWords(const std::string& base);
/// The words of a value in every language, each joined by blanks, the English name first.
const std::vector<std::vector<std::string>>& ClaimValues();

/// Number words become numbers: "three", "zwei". Pure.
void SpellClaimNumbers(std::vector<ClaimToken>& tokens, std::string_view language);

/// "a b c" of the words.
std::string JoinClaimWords(const std::vector<std::string>& words);

}  // namespace emptor::services
