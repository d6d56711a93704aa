// A check for each kind of difference; the first that fails names it.
#include "retrieval/cache/verifier.h"

#include <algorithm>
#include <cmath>
#include <string_view>
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

std::string DescribeMissing(std::string_view kind, std::string_view said, bool is_known) {
  return is_known ? fmt::format("{}: {} is not asked", kind, said)
                  : fmt::format("{}: {} is asked besides", kind, said);
}

bool IsSameNumber(const Number& a, const Number& b) {
  if (a.unit.empty() != b.unit.empty()) {
    // One of them leaves its unit out: the figures decide.
    return a.text.substr(0, a.text.find(' ')) == b.text.substr(0, b.text.find(' '));
  }
  return a.unit == b.unit && std::abs(a.value - b.value) <=
                                 1e-6 + 0.001 * std::max(std::abs(a.value), std::abs(b.value));
}

std::string NumberDifference(const QuestionForm& asked, const QuestionForm& known) {
  const auto missing_in = [](const Number& number, const QuestionForm& form) {
    return std::none_of(form.numbers.begin(), form.numbers.end(),
                        [&](const Number& other) { return IsSameNumber(number, other); });
  };
  const Number *lost = nullptr, *added = nullptr;
  for (const Number& number : known.numbers) {
    if (lost == nullptr && missing_in(number, asked)) lost = &number;
  }
  for (const Number& number : asked.numbers) {
    if (added == nullptr && number.asked && missing_in(number, known)) added = &number;
  }
  if (lost != nullptr && added != nullptr) {
    return fmt::format("number: {} against {}", added->text, lost->text);
  }
  if (lost != nullptr) return DescribeMissing("number", lost->text, true);
  if (added != nullptr) return DescribeMissing("number", added->text, false);
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
      if (opposes(fact, other)) return "direction: the other way from or to " + fact.name;
    }
  }
  return {};
}

std::string FactDifference(const QuestionForm& asked, const QuestionForm& known) {
  for (const Fact& fact : known.facts) {
    if (Says(asked, fact)) continue;
    for (const Fact& other : asked.facts) {
      if (other.kind == fact.kind) {
        return fmt::format("{}: {} against {}", fact.kind, other.name, fact.name);
      }
    }
    return DescribeMissing(fact.kind, fact.name, true);
  }
  for (const Fact& fact : asked.facts) {
    if (fact.asked && !LiesInKnown(fact, known) && !LiesAroundKnown(fact, known)) {
      return DescribeMissing(fact.kind, fact.name, false);
    }
  }
  return {};
}

std::string NameDifference(const QuestionForm& asked, const QuestionForm& known) {
  for (const Word& word : known.words) {
    if (word.is_name && !HasWord(asked, word)) return DescribeMissing("name", word.text, true);
  }
  for (const Word& word : asked.words) {
    if (word.is_name && word.asked && !HasWord(known, word)) {
      return DescribeMissing("name", word.text, false);
    }
  }
  return {};
}

/// What one question word asks for that the other question has no word of.
std::string TypeDifference(const QuestionForm& asked, const QuestionForm& known) {
  const auto has_any = [](const QuestionForm& form, const std::vector<std::string>& types) {
    return std::any_of(types.begin(), types.end(), [&](const std::string& type) {
      return Has(form.strong_types, type) || Has(form.weak_types, type);
    });
  };
  // "What does it cost?" is not answered by whether it is possible.
  const bool is_whether = known.strong_types.empty() && !known.openings.empty();
  if (is_whether && Has(asked.weak_types, "what") && !Has(known.weak_types, "what")) {
    return "question: what against whether";
  }
  const bool agree = has_any(known, asked.strong_types) || has_any(asked, known.strong_types);
  if (asked.strong_types.empty() || agree) return {};
  const std::string_view other =
      known.strong_types.empty() ? "whether" : std::string_view(known.strong_types.front());
  return fmt::format("question: {} against {}", asked.strong_types.front(), other);
}

std::string SideDifference(const QuestionForm& asked, const QuestionForm& known) {
  for (const std::string& side : asked.sides) {
    const std::string pair = side.substr(0, side.size() - 1);
    const std::string other = pair + (side.back() == '0' ? "1" : "0");
    const bool opposed = Has(known.sides, other) && !Has(known.sides, side);
    if (opposed && !Has(asked.sides, other)) return "direction: the opposite is asked";
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
  if (words.missing == nullptr) return DescribeMissing("word", words.extra->text, false);
  return fmt::format("word: {} against {}", words.extra->text, words.missing->text);
}

}  // namespace

FormComparison CompareForms(const QuestionForm& asked, const QuestionForm& known) {
  FormComparison comparison;
  const WordDifference words = CompareWords(asked, known, comparison);
  std::string& found = comparison.contradiction;
  if (!asked.language.empty() && !known.language.empty() && asked.language != known.language) {
    found = fmt::format("language: {} against {}", asked.language, known.language);
  }
  if (found.empty()) found = NumberDifference(asked, known);
  if (found.empty() && asked.is_negated != known.is_negated) {
    found =
        asked.is_negated ? "negation: it is asked what is not" : "negation: it is asked what is";
  }
  if (found.empty() && asked.is_own && !known.is_own) found = "person: the asker's own case";
  if (found.empty()) found = SideDifference(asked, known);
  if (found.empty()) found = TypeDifference(asked, known);
  if (found.empty()) found = WayDifference(asked, known);
  if (found.empty()) found = FactDifference(asked, known);
  if (found.empty()) found = NameDifference(asked, known);
  if (found.empty()) found = FrameDifference(words, comparison);
  return comparison;
}

}  // namespace emptor::retrieval
