// Whether two questions ask the same about the same facts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/cache/question_form.h"

namespace emptor::retrieval {

enum class DifferenceKind : unsigned char {
  kLanguage,
  kNumber,
  kDetail,  // a number without a unit that only the asked one has, in other words
  kNegation,
  kPerson,     // the asker's own case against everybody's
  kDirection,  // before against after, from against to
  kQuestion,   // how long against how much
  kPlace,
  kParty,  // for whom
  kScope,  // express, only, on Sundays
  kMeans,  // of payment
  kSize,
  kColour,
  kName,  // brands, models, and others
  kWord,  // another word in the same sentence
};
inline constexpr size_t kDifferenceKindCount = 15;

/// "number", "place".
std::string_view ToString(DifferenceKind kind);

/// A difference that changes the answer, and how it is reported: "30 days against 300 days".
struct FormDifference {
  DifferenceKind kind = DifferenceKind::kWord;
  std::string text;
};

/// A set of kinds.
class DifferenceKinds {
 public:
  void Insert(DifferenceKind kind) { bits_ |= 1u << static_cast<unsigned>(kind); }
  bool contains(DifferenceKind kind) const { return (bits_ >> static_cast<unsigned>(kind)) & 1; }

 private:
  uint32_t bits_ = 0;
};

struct FormComparison {
  std::vector<FormDifference> differences;  // one of a kind at most, by kind
  double frame = 0;    // share of the known question's words that follow in the asked one, in order
  double extra = 0;    // share of what is asked that the known question has no word for
  double missing = 0;  // share of the known question's content that is not asked

  /// "number: 30 days against 300 days": the first whose kind is not tolerated; empty: none.
  std::string Contradiction(DifferenceKinds tolerated = {}) const;
};

/// `asked` is the shopper's, `known` the entry's: every fact of it has to be in the asked one, and
/// what is asked must be about nothing more. Pure; cost is the product of their lengths.
FormComparison CompareForms(const QuestionForm& asked, const QuestionForm& known);

/// The kinds in which the phrasings of one entry differ among each other, so that they separate it
/// from nothing: those of at least one pair in seven, and details. None where there are less than
/// five. Pure.
DifferenceKinds ToleratedKinds(std::span<const QuestionForm* const> phrasings);

}  // namespace emptor::retrieval
