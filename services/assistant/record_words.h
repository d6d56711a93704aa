// The words of the records of a type, for conditions that no attribute states: "front load",
// "mesh".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

/// A demand on the words of a record: all stems of one of the alternatives.
struct WordCondition {
  std::string text;  // as the shopper wrote it, folded
  std::vector<std::vector<std::string>> any_of;

  friend bool operator==(const WordCondition& a, const WordCondition& b) {
    return a.any_of == b.any_of;
  }
};

/// Stems of titles and of the values of attributes that deny nothing, by record. Immutable once
/// learned. Memory: a few bytes a word. Thread-safety: const methods.
class RecordWords {
 public:
  static RecordWords Learn(const std::vector<const catalog::Product*>& products);

  /// Positions of the records that meet the condition, ascending.
  std::vector<uint32_t> Find(const WordCondition& condition) const;
  bool Knows(const WordCondition& condition) const { return !Find(condition).empty(); }

  /// Several titles begin with the word: in a shop that names no brands it is a maker.
  bool IsMaker(const std::string& word) const;

  /// The records by the number of conditions that they meet: those that meet all come first, those
  /// that meet none are left out. Positions ascend within a group; a group may be empty.
  std::vector<std::vector<uint32_t>> ByCoverage(const std::vector<WordCondition>& conditions) const;

 private:
  std::unordered_map<std::string, std::vector<uint32_t>> records_;  // ascending, by stem
  std::unordered_map<std::string, size_t> first_words_;             // of titles
};

/// Words of a message that may name a property: neither small nor of a request. Pure.
std::vector<std::string> TellingWords(const FoldedMessage& message);

/// "Between", "hello", "im": a word that says nothing of goods, in any language. Pure.
bool IsOrdinaryWord(const std::string& word);

/// That a record has the word. Pure.
WordCondition DemandOf(const std::string& word);

/// True when the text holds what the condition demands.
bool Meets(std::string_view text, const WordCondition& condition);

/// The demands of the words that are left of a message once its conditions are read. A word that no
/// record of the type has demands nothing, nor does one that every record has.
std::vector<WordCondition> ReadWordConditions(const FoldedMessage& rest, std::string_view language,
                                              const RecordWords& words);

}  // namespace emptor::services
