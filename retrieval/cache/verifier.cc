// A check for each kind of difference; the first that fails names it.
#include "retrieval/cache/verifier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "retrieval/text/measure.h"
#include "retrieval/words/edit_distance.h"

namespace emptor::retrieval {
namespace {

using Fact = QuestionForm::Fact;
using Number = QuestionForm::Number;
using Word = QuestionForm::Word;

/// From this share of equal words in order on, a word that only one of the two has is another fact.
constexpr double kSameFrame = 0.5;

bool Has(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// Equal but for a slip of the keyboard.
bool IsMisspelled(std::string_view a, std::string_view b) {
  constexpr size_t kOneFrom = 4, kTwoFrom = 8;
  const size_t shorter = std::min(a.size(), b.size());
  if (shorter < kOneFrom || a.front() != b.front()) return false;
  const int limit = shorter >= kTwoFrom ? 2 : 1;
  return EditDistance(a, b, limit) <= limit;
}

/// German compounds, and "airfryer" for "air fryer".
bool Contains(std::string_view whole, std::string_view part) {
  constexpr size_t kPartFrom = 5;
  return part.size() >= kPartFrom && whole.size() > part.size() &&
         (whole.starts_with(part) || whole.ends_with(part));
}

bool IsSameWord(const Word& a, const Word& b) {
  return a.key == b.key || a.text == b.text || IsMisspelled(a.text, b.text) ||
         Contains(a.text, b.text) || Contains(b.text, a.text);
}

bool HasWord(const QuestionForm& form, const Word& word) {
  return std::any_of(form.words.begin(), form.words.end(),
                     [&](const Word& each) { return IsSameWord(word, each); });
}

std::string DescribeMissing(std::string_view said, bool is_known) {
  return fmt::format(fmt::runtime(is_known ? "{} is not asked" : "{} is asked besides"), said);
}

bool IsSameNumber(const Number& a, const Number& b) {
  if (a.text == b.text) return true;  // also where it is too long for a value
  if (a.unit.empty() != b.unit.empty()) {
    // One of them leaves its unit out: the figures decide.
    return a.text.substr(0, a.text.find(' ')) == b.text.substr(0, b.text.find(' '));
  }
  return a.unit == b.unit && std::abs(a.value - b.value) <=
                                 1e-6 + 0.001 * std::max(std::abs(a.value), std::abs(b.value));
}

/// A number without a unit, in a question of other words, is a detail of the asker's case.
bool IsDetail(const Number& number, const QuestionForm& known, double frame) {
  return number.unit.empty() && known.numbers.empty() && frame < kSameFrame;
}

std::string NumberDifference(const QuestionForm& asked, const QuestionForm& known, double frame) {
  const auto missing_in = [](const Number& number, const QuestionForm& form) {
    return std::none_of(form.numbers.begin(), form.numbers.end(),
                        [&](const Number& other) { return IsSameNumber(number, other); });
  };
  const Number *lost = nullptr, *added = nullptr;
  for (const Number& number : known.numbers) {
    if (lost == nullptr && missing_in(number, asked)) lost = &number;
  }
  for (const Number& number : asked.numbers) {
    if (added != nullptr || !number.asked || IsDetail(number, known, frame)) continue;
    if (missing_in(number, known)) added = &number;
  }
  if (lost != nullptr && added != nullptr) {
    return fmt::format("{} against {}", added->text, lost->text);
  }
  if (lost != nullptr) return DescribeMissing(lost->text, true);
  if (added != nullptr) return DescribeMissing(added->text, false);
  return {};
}

std::string Detail(const QuestionForm& asked, const QuestionForm& known, double frame) {
  for (const Number& number : asked.numbers) {
    if (number.asked && IsDetail(number, known, frame)) return DescribeMissing(number.text, false);
  }
  return {};
}

bool Says(const QuestionForm& form, const Fact& fact) {
  const bool is_misspelled =
      !fact.said.empty() &&
      std::any_of(form.words.begin(), form.words.end(),
                  [&](const Word& word) { return IsMisspelled(word.text, fact.said); });
  return is_misspelled || std::any_of(form.facts.begin(), form.facts.end(), [&](const Fact& other) {
           if (other.kind != fact.kind) return false;
           return other.name == fact.name || (!other.around.empty() && other.around == fact.name);
         });
}

/// A place that lies in one of the known places adds nothing.
bool LiesInKnown(const Fact& fact, const QuestionForm& known) {
  return std::any_of(known.facts.begin(), known.facts.end(), [&](const Fact& other) {
    return other.kind == fact.kind &&
           (other.name == fact.name || (!fact.around.empty() && other.name == fact.around));
  });
}

/// The place around a known one: "Toronto, Canada".
bool LiesAroundKnown(const Fact& fact, const QuestionForm& known) {
  return std::any_of(known.facts.begin(), known.facts.end(), [&](const Fact& other) {
    return other.kind == fact.kind && other.around == fact.name;
  });
}

/// Goods that go to a place against goods that come from there.
std::string WayDifference(const QuestionForm& asked, const QuestionForm& known) {
  const auto opposes = [](const Fact& a, const Fact& b) {
    return a.name == b.name && ((a.way == FormHead::kFrom && b.way == FormHead::kTo) ||
                                (a.way == FormHead::kTo && b.way == FormHead::kFrom));
  };
  for (const Fact& fact : asked.facts) {
    for (const Fact& other : known.facts) {
      if (opposes(fact, other)) return "the other way from or to " + fact.name;
    }
  }
  return {};
}

struct FactKind {
  std::string_view name;
  DifferenceKind kind;
};
constexpr std::array<FactKind, 6> kFactKinds = {{{"place", DifferenceKind::kPlace},
                                                 {"party", DifferenceKind::kParty},
                                                 {"scope", DifferenceKind::kScope},
                                                 {"means", DifferenceKind::kMeans},
                                                 {"size", DifferenceKind::kSize},
                                                 {"colour", DifferenceKind::kColour}}};

std::string FactDifference(std::string_view kind, const QuestionForm& asked,
                           const QuestionForm& known) {
  for (const Fact& fact : known.facts) {
    if (fact.kind != kind || Says(asked, fact)) continue;
    for (const Fact& other : asked.facts) {
      if (other.kind == kind) return fmt::format("{} against {}", other.name, fact.name);
    }
    return DescribeMissing(fact.name, true);
  }
  for (const Fact& fact : asked.facts) {
    if (fact.kind == kind && fact.asked && !LiesInKnown(fact, known) &&
        !LiesAroundKnown(fact, known)) {
      return DescribeMissing(fact.name, false);
    }
  }
  return {};
}

std::string NameDifference(const QuestionForm& asked, const QuestionForm& known) {
  for (const Word& word : known.words) {
    if (word.is_name && !HasWord(asked, word)) return DescribeMissing(word.text, true);
  }
  for (const Word& word : asked.words) {
    if (word.is_name && word.asked && !HasWord(known, word)) {
      return DescribeMissing(word.text, false);
    }
  }
  return {};
}

/// What one question word asks for that the other question has no word of. Another question word in
/// a question of the same words asks something else, whatever these may ask for.
std::string TypeDifference(const QuestionForm& asked, const QuestionForm& known, bool same_words) {
  const auto has_any = [](const QuestionForm& form, const std::vector<std::string>& types) {
    return std::any_of(types.begin(), types.end(), [&](const std::string& type) {
      return Has(form.strong_types, type) || Has(form.weak_types, type);
    });
  };
  // "What does it cost?" is not answered by whether it is possible.
  const bool is_whether = known.strong_types.empty() && !known.openings.empty();
  if (is_whether && Has(asked.weak_types, "what") && !Has(known.weak_types, "what")) {
    return "what against whether";
  }
  const bool share_strong =
      std::any_of(asked.strong_types.begin(), asked.strong_types.end(),
                  [&](const std::string& type) { return Has(known.strong_types, type); });
  const bool agree = same_words && !known.strong_types.empty()
                         ? share_strong
                         : has_any(known, asked.strong_types) || has_any(asked, known.strong_types);
  // A title, a keyword, a complaint: it asks for nothing in particular.
  const bool is_open = known.strong_types.empty() && known.openings.empty() && !known.is_marked;
  if (asked.strong_types.empty() || agree || is_open) return {};
  const std::string_view other =
      known.strong_types.empty() ? "whether" : std::string_view(known.strong_types.front());
  return fmt::format("{} against {}", asked.strong_types.front(), other);
}

/// Both sides in the same sentence are another question, too.
std::string SideDifference(const QuestionForm& asked, const QuestionForm& known, double frame) {
  for (const std::string& side : asked.sides) {
    const std::string pair = side.substr(0, side.size() - 1);
    const std::string other = pair + (side.back() == '0' ? "1" : "0");
    const bool opposed = Has(known.sides, other) && !Has(known.sides, side);
    if (opposed && (!Has(asked.sides, other) || frame >= kSameFrame)) {
      return "the opposite is asked";
    }
  }
  return {};
}

/// Length of the longest common subsequence of what is asked.
size_t CommonInOrder(const std::vector<const Word*>& a, const std::vector<const Word*>& b) {
  std::vector<size_t> previous(b.size() + 1), current(b.size() + 1);
  for (const Word* const x : a) {
    for (size_t j = 0; j < b.size(); ++j) {
      const bool same = x->key == b[j]->key || x->text == b[j]->text;
      current[j + 1] = same ? previous[j] + 1 : std::max(previous[j + 1], current[j]);
    }
    previous.swap(current);
  }
  return previous[b.size()];
}

std::vector<const Word*> AskedWords(const QuestionForm& form) {
  constexpr size_t kMaxWords = 64;
  std::vector<const Word*> words;
  for (const Word& word : form.words) {
    if (word.asked && words.size() < kMaxWords) words.push_back(&word);
  }
  return words;
}

/// The shares, and the first words that only one side has.
struct WordDifference {
  const Word* extra = nullptr;
  const Word* missing = nullptr;
};

WordDifference CompareWords(const QuestionForm& asked, const QuestionForm& known,
                            FormComparison& comparison) {
  WordDifference difference;
  const std::vector<const Word*> a = AskedWords(asked), b = AskedWords(known);
  double asked_content = 0, extra = 0, known_content = 0, missing = 0;
  for (const Word* const word : a) {
    if (!word->is_content) continue;
    ++asked_content;
    const bool goes_with_type = !word->type.empty() && (Has(known.strong_types, word->type) ||
                                                        Has(known.weak_types, word->type));
    if (goes_with_type || HasWord(known, *word)) continue;
    ++extra;
    if (difference.extra == nullptr) difference.extra = word;
  }
  for (const Word* const word : b) {
    if (!word->is_content) continue;
    ++known_content;
    if (HasWord(asked, *word)) continue;
    ++missing;
    if (difference.missing == nullptr) difference.missing = word;
  }
  if (asked_content > 0) comparison.extra = extra / asked_content;
  if (known_content > 0) comparison.missing = missing / known_content;
  if (!b.empty()) {
    comparison.frame = static_cast<double>(CommonInOrder(a, b)) / static_cast<double>(b.size());
  }
  return difference;
}

std::string FrameDifference(const WordDifference& words, const FormComparison& comparison) {
  if (words.extra == nullptr || comparison.frame < kSameFrame) return {};
  if (words.missing == nullptr) return DescribeMissing(words.extra->text, false);
  return fmt::format("{} against {}", words.extra->text, words.missing->text);
}

/// How often in `pairs` each kind differs.
void CountDifferences(const FormComparison& comparison,
                      std::array<size_t, kDifferenceKindCount>& counts) {
  for (const FormDifference& difference : comparison.differences) {
    ++counts[static_cast<size_t>(difference.kind)];
  }
}

}  // namespace

std::string_view ToString(DifferenceKind kind) {
  constexpr std::array<std::string_view, kDifferenceKindCount> kNames = {
      "language", "number", "detail", "negation", "person", "direction", "question", "place",
      "party",    "scope",  "means",  "size",     "colour", "name",      "word"};
  return kNames[static_cast<size_t>(kind)];
}

std::string FormComparison::Contradiction(DifferenceKinds tolerated) const {
  for (const FormDifference& difference : differences) {
    if (tolerated.contains(difference.kind)) continue;
    return fmt::format("{}: {}", ToString(difference.kind), difference.text);
  }
  return {};
}

FormComparison CompareForms(const QuestionForm& asked, const QuestionForm& known) {
  FormComparison comparison;
  const auto add = [&](DifferenceKind kind, std::string text) {
    if (!text.empty()) comparison.differences.push_back({kind, std::move(text)});
  };
  const bool other_language =
      !asked.language.empty() && !known.language.empty() && asked.language != known.language;
  if (other_language) {
    add(DifferenceKind::kLanguage, fmt::format("{} against {}", asked.language, known.language));
  }
  const WordDifference words = CompareWords(asked, known, comparison);
  add(DifferenceKind::kNumber, NumberDifference(asked, known, comparison.frame));
  add(DifferenceKind::kDetail, Detail(asked, known, comparison.frame));
  if (asked.is_negated != known.is_negated) {
    add(DifferenceKind::kNegation,
        asked.is_negated ? "it is asked what is not" : "it is asked what is");
  }
  if (asked.is_own && !known.is_own) add(DifferenceKind::kPerson, "the asker's own case");
  std::string direction = SideDifference(asked, known, comparison.frame);
  if (direction.empty()) direction = WayDifference(asked, known);
  add(DifferenceKind::kDirection, std::move(direction));
  const bool same_words = comparison.frame >= kSameFrame || comparison.missing == 0;
  add(DifferenceKind::kQuestion, TypeDifference(asked, known, same_words));
  for (const FactKind& each : kFactKinds) add(each.kind, FactDifference(each.name, asked, known));
  add(DifferenceKind::kName, NameDifference(asked, known));
  add(DifferenceKind::kWord, FrameDifference(words, comparison));
  return comparison;
}

DifferenceKinds ToleratedKinds(std::span<const QuestionForm* const> phrasings) {
  constexpr size_t kMinPhrasings = 5, kMaxCompared = 12, kOneIn = 7;
  DifferenceKinds tolerated;
  if (phrasings.size() < kMinPhrasings) return tolerated;
  tolerated.Insert(DifferenceKind::kDetail);
  const size_t step = std::max<size_t>(1, phrasings.size() / kMaxCompared);
  std::array<size_t, kDifferenceKindCount> counts{};
  size_t pairs = 0;
  for (size_t i = 0; i < phrasings.size(); i += step) {
    for (size_t j = 0; j < phrasings.size(); j += step) {
      if (i == j) continue;
      ++pairs;
      CountDifferences(CompareForms(*phrasings[i], *phrasings[j]), counts);
    }
  }
  for (size_t kind = 0; kind < kDifferenceKindCount; ++kind) {
    if (counts[kind] * kOneIn >= pairs && counts[kind] > 0) {
      tolerated.Insert(static_cast<DifferenceKind>(kind));
    }
  }
  return tolerated;
}

}  // namespace emptor::retrieval
