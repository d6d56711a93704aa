// A sentence as clauses of items: products, labels, values, numbers and the words between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/grounding/claim_phrases.h"
#include "services/grounding/claim_record.h"

namespace emptor::services {

/// One phrase of a sentence.
struct ClaimItem {
  enum class Kind { kPhrase, kProduct, kSource, kNumber, kWord };
  Kind kind = Kind::kPhrase;
  std::vector<ClaimMeaning> meanings;  // of a phrase
  std::vector<int> products;           // kProduct: the records that it may name, from 0
  int source = 0;                      // kSource
  ClaimQuantity quantity;              // kNumber
  std::string text;                    // its words
  std::vector<std::string> content;    // as FindClaimContent reads it
  int segment = 0;                     // of numbers that were added to a clause behind it: 1
  bool is_brand = false;               // kProduct: nothing but the brand
  bool is_type = false;                // kProduct: named by its type alone, "the kettle"
  bool is_capitalized = false;         // and no first word of the sentence

  bool Has(ClaimRole role) const;
  std::vector<int> IndexesOf(ClaimRole role) const;
};

/// What stands between two conjunctions or marks.
struct ClaimClause {
  std::vector<ClaimItem> items;
  std::vector<ClaimToken> tokens;
  size_t end = 0;  // of its tokens in the sentence
  bool Has(ClaimRole role) const;
};

struct ClaimNames {
  std::vector<std::string> ids;       // of the products, in the order of the records
  std::vector<ClaimRecord> records;   // products alone
  ClaimPhraseIndex phrases;           // keys and values of the records
  std::vector<std::string> own_keys;  // of the labels and values that only records have
};

/// Index of a label that only records have: `-(1 + i)`.
ClaimNames ReadClaimNames(std::vector<ClaimRecord> records);

/// Pure; linear in the sentence.
std::vector<ClaimClause> ParseClaimSentence(std::string_view sentence, std::string_view language,
                                            const ClaimNames& names);

}  // namespace emptor::services
