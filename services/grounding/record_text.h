// The words and numbers of a record, to check claims in free text against.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/answer_lexer.h"

namespace emptor::services {

/// A number in free text with the words around it, lower-case, the nearest first.
struct NumberClaim {
  std::string token;  // "27", "27-inch", "1080p", "WH-1000XM5"
  std::vector<std::string> before;
  std::vector<std::string> after;
};

/// The words and numbers of one record. Amounts of money in its text support nothing.
/// Thread-safety: immutable.
class RecordText {
 public:
  explicit RecordText(const catalog::Product& product);
  explicit RecordText(const catalog::Document& document);

  /// True if a field of the record holds that word, ignoring case.
  bool HasWord(std::string_view lower_case_word) const {
    return words_.count(std::string(lower_case_word)) != 0;
  }

  /// True if a field holds the same number with the same unit. A number without a unit of measure
  /// must be next to one of the same words, or in a field named by one of them.
  /// Codes ("WH-1000XM5") must occur as they are.
  bool Supports(const NumberClaim& claim) const;

 private:
  struct Number {
    std::string value;
    std::string unit;                  // canonical, when written with one
    std::vector<std::string> context;  // words of the field's name and around the number
  };
  /// `needs_unit`: a number without a unit supports nothing (prose written by a seller).
  void AddField(std::string_view name, std::string_view text, bool needs_unit = false);
  void AddNumber(const std::vector<std::string>& name, const std::vector<Span>& spans, size_t at,
                 bool needs_unit);
  bool SupportsPart(const std::string& value, const std::string& unit,
                    const NumberClaim& claim) const;

  std::unordered_set<std::string> words_;
  std::vector<Number> numbers_;
};

/// Attributes that restate what is shown live (price, stock, rating): never sources of a fact.
bool IsLiveFactName(std::string_view attribute_name);

/// True for a unit of measure: "hours", "kg", "inch".
bool IsUnitWord(std::string_view lower_case_word);

/// Lower-case by Unicode's simple mapping.
std::string LowerCase(std::string_view text);

}  // namespace emptor::services
