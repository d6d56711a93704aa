// Automata of the parts of JSON texts.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/structure/nfa.h"

namespace emptor::engine {

/// A bound of a number.
struct JsonBound {
  int64_t value = 0;
  bool exclusive = false;
};

/// Builds back to front on a builder. Every repetition but those of strings, arrays and objects is
/// bounded, so that a model cannot loop on blanks or digits. Thread-safety: one user at a time.
class JsonRules {
 public:
  explicit JsonRules(NfaBuilder& builder) : builder_(builder) {}

  /// Between brackets, members and items: nothing, a blank, or a line feed and at most 32 blanks.
  NfaStateId Whitespace(NfaStateId next);
  /// Behind a colon: nothing or a blank.
  NfaStateId OptionalBlank(NfaStateId next);

  /// One character of a string, raw or escaped. With `every_escape` also as \uXXXX.
  NfaStateId Character(bool every_escape, NfaStateId next);
  /// A string of low to high characters (none: any number).
  NfaStateId CountedString(int64_t low, std::optional<int64_t> high, NfaStateId next);
  /// A member name that is none of `names`, written without escapes.
  NfaStateId OtherName(std::vector<std::string> names, NfaStateId next);
  /// One of the texts, which are JSON already.
  NfaStateId OneOf(std::vector<std::string> texts, NfaStateId next);

  /// An integer of at most 18 digits within the bounds; -1 when there is none.
  NfaStateId Integer(std::optional<JsonBound> low, std::optional<JsonBound> high, NfaStateId next);
  /// A number: without bounds also with fraction and exponent, within bounds with a fraction.
  NfaStateId Number(std::optional<JsonBound> low, std::optional<JsonBound> high, NfaStateId next);

  /// Shared rules, made when first asked for.
  NfaRuleId String();
  NfaRuleId Value();
  NfaRuleId Object();

 private:
  NfaStateId Digits(int low, int high, NfaStateId next);
  NfaStateId DigitRange(std::string_view low, std::string_view high, NfaStateId next);
  NfaStateId NaturalRange(int64_t low, int64_t high, NfaStateId next);
  NfaStateId MagnitudeRange(JsonBound low, JsonBound high, NfaStateId next);
  NfaStateId NameWithout(const std::vector<std::string>& names, size_t begin, size_t end,
                         size_t depth, NfaStateId loop, NfaStateId close);
  NfaStateId OneOfSorted(const std::vector<std::string>& texts, size_t begin, size_t end,
                         size_t depth, NfaStateId next);
  NfaStateId ObjectText(NfaStateId next);
  NfaStateId ArrayText(NfaStateId next);

  NfaBuilder& builder_;
  std::optional<NfaRuleId> string_, value_, object_;
};

/// A JSON string of the text.
std::string QuoteJson(std::string_view text);

}  // namespace emptor::engine
