// The words of the records of a type, for conditions that no attribute states: "front load",
// "mesh".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/schema/counted_terms.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/value_words.h"

namespace emptor::services {

/// A quantity that a text states, in base units of its dimension; infinite bounds are open.
struct StatedQuantity {
  std::string base;
  double min = 0, max = 0;

  friend bool operator==(const StatedQuantity& a, const StatedQuantity& b) {
    return a.base == b.base && a.min == b.min && a.max == b.max;
  }
};

/// A demand on the text of a record: all stems of one of the alternatives, or the quantity.
struct WordCondition {
  std::string text;  // as the shopper wrote it, folded
  std::vector<std::vector<std::string>> any_of;
  std::optional<StatedQuantity> quantity = {};

  friend bool operator==(const WordCondition& a, const WordCondition& b) {
    return a.any_of == b.any_of && a.quantity == b.quantity;
  }
};

/// Stems and quantities of titles and of the values of attributes that deny nothing, by record.
/// Immutable once learned. Memory: a few bytes a word. Thread-safety: const methods.
class RecordWords {
 public:
  static RecordWords Learn(const std::vector<const catalog::Product*>& products);

  /// Positions of the records that meet the condition, ascending.
  std::vector<uint32_t> Find(const WordCondition& condition) const;
  bool Knows(const WordCondition& condition) const { return !Find(condition).empty(); }

  /// Records state quantities of the dimension ("ml"): that none has the one asked for is worth
  /// saying.
  bool StatesDimension(std::string_view base) const;

  /// Several titles begin with the word: in a shop that names no brands it is a maker.
  bool IsMaker(const std::string& word) const;

  /// And half of the records that have the word begin with it: "Prestige", not "women".
  bool IsMostlyMaker(const std::string& word) const;

  /// The records by the number of conditions that they meet: those that meet all come first, those
  /// that meet none are left out. Positions ascend within a group; a group may be empty.
  std::vector<std::vector<uint32_t>> ByCoverage(const std::vector<WordCondition>& conditions) const;

 private:
  /// Adds the records that state such a quantity, so that `found` stays ascending.
  void AddStating(const StatedQuantity& quantity, std::vector<uint32_t>& found) const;

  std::unordered_map<std::string, std::vector<uint32_t>> records_;  // ascending, by stem
  /// Quantities of titles and values with a unit, by dimension: ascending, with the record.
  std::map<std::string, std::vector<std::pair<double, uint32_t>>, std::less<>> quantities_;
  std::unordered_map<std::string, size_t> first_words_;  // of titles
};

/// The stem of an English word; other scripts as they are. Pure.
std::string StemOf(const std::string& word);

/// Words of a message that may name a property: neither small nor of a request. Pure.
std::vector<std::string> TellingWords(const FoldedMessage& message);

/// "Between", "hello", "im": a word that says nothing of goods, in any language. Pure.
bool IsOrdinaryWord(const std::string& word);

/// "1320", "T60", "X5570": the number of a model, or a number that may be one. Pure.
bool IsModelWord(const std::string& word);

size_t DigitsOf(std::string_view word);
bool HasDigit(std::string_view word);

/// A word that no lexicon has may name a line of products: "pentagon", "flexcare". Pure.
bool IsLineName(const std::string& word);

/// That a record has the word. Pure.
WordCondition DemandOf(const std::string& word);

/// That a record has the term: "5 star". Pure.
WordCondition DemandOf(const CountedTerm& term);

/// That a record has the value, in any of its English names: "front loader", "front load". `said`
/// as the shopper wrote it, folded. Pure.
WordCondition DemandOf(const NamedValue& value, std::string_view said);

/// True where a single letter may meet a part of it anywhere in a record: "USB C". Pure.
bool HasShortWord(const WordCondition& condition);

/// "Litre" behind a number, which is no value of its own. "HP" and "size L" are values. Pure.
bool IsUnitAt(const FoldedMessage& message, const NamedValue& value);

/// True when the text holds what the condition demands.
bool Meets(std::string_view text, const WordCondition& condition);

/// The demands of the words that are left of a message once its conditions are read. "Philips or
/// Havells" is one demand. A word that no record of the type has demands nothing.
std::vector<WordCondition> ReadWordConditions(const FoldedMessage& rest, std::string_view language,
                                              const RecordWords& words);

}  // namespace emptor::services
