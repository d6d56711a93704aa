// Numbers and their neighbours, by data/lexicon/counts.txt.
#include "services/assistant/reading/count_conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "retrieval/text/measure.h"
#include "services/assistant/schema/counted_terms.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/value_matches.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

using Kind = SchemaKey::Kind;
using Span = FoldedMessage::Span;
using View = std::string_view;

constexpr double kMonthsOfAYear = 12;
constexpr int kMaxNumberWord = 12;

const PhraseTable& TheCounts() {
  static const auto* const counts = new PhraseTable(ParsePhraseTable(kCountLexicon, " : "));
  return *counts;
}

const std::vector<std::string>& PhrasesOf(View head) { return TheCounts().find(head)->second; }

bool IsNamedLike(const SchemaKey& key, View head) {
  const std::vector<std::string>& names = PhrasesOf(head);
  return std::find(names.begin(), names.end(), key.folded) != names.end();
}

bool HasNameOf(const SchemaKey& key, View head) {
  return FoldedMessage::FromFolded(key.folded).HasAny(PhrasesOf(head));
}

bool HasDigit(View text) { return text.find_first_of("0123456789") != View::npos; }

/// "能坐4人的": the number and what it counts as words of their own.
FoldedMessage PartCounted(const FoldedMessage& message) {
  constexpr View kPerson = "人";
  std::string parted(message.text());
  for (size_t at = parted.find(kPerson); at != std::string::npos;) {
    // "4个人"
    constexpr View kEach = "个";
    const size_t counter = View(parted).substr(0, at).ends_with(kEach) ? kEach.size() : 0;
    at -= counter;
    size_t begin = at;
    while (begin > 0 && HasDigit(View(parted).substr(begin - 1, 1))) --begin;
    const bool is_numeral = begin == at && at >= kPerson.size() &&
                            NumberOfAnyWord(parted.substr(at - kPerson.size(), kPerson.size())) > 0;
    if (is_numeral) begin = at - kPerson.size();
    const std::string counted =
        " " + parted.substr(begin, at - begin) + " " + std::string(kPerson) + " ";
    parted.replace(begin, at + counter + kPerson.size() - begin, counted);
    at = parted.find(kPerson, begin + counted.size());
  }
  return FoldedMessage::FromFolded(std::move(parted));
}

struct Word {
  std::string text;
  Span span;
};

std::vector<Word> WordsOf(View text) {
  std::vector<Word> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back({std::string(text.substr(at, end - at)), {at, end}});
    at = end + 1;
  }
  return words;
}

/// "CR2025" counts nothing.
bool IsCode(const std::string& folded) {
  const size_t digit = folded.find_first_of("0123456789");
  return digit != std::string::npos && digit > 0 && folded[digit - 1] >= 'a' &&
         folded[digit - 1] <= 'z';
}

/// "3 to 6" holds a 5.
bool HoldsBetween(const std::string& folded, double number) {
  std::vector<double> ends;
  bool is_interval = false;
  ForEachWord(folded, [&](const std::string& word) {
    if (const auto each = retrieval::ParsePlainNumber(word)) ends.push_back(*each);
    is_interval |= word == "to" || word == "bis" || word == "a" || word == "至";
  });
  return is_interval && ends.size() == 2 && ends[0] <= number && number <= ends[1];
}

/// Reads the numbers of one message.
class CountReader {
 public:
  CountReader(const FoldedMessage& message, View language, const TypeSchema& schema)
      : message_(language == "zh" ? PartCounted(message)
                                  : FoldedMessage::FromFolded(WithoutSides(message.text()))),
        schema_(schema),
        values_(FindValuesOf(message_, language, schema)),
        words_(WordsOf(message_.text())),
        asks_pack_(message_.HasAny(PhrasesOf("pack"))) {}

  std::vector<KeyCondition> Run() {
    for (size_t i = 0; i < words_.size(); ++i) {
      const auto number = NumberAt(i);
      if (!number || (HasDigit(words_[i].text) && IsInName(words_[i].span))) continue;
      const std::string after = i + 1 < words_.size() ? words_[i + 1].text : "";
      // The reader of quantities has read a number with a unit.
      if (retrieval::FindUnit(after)) continue;
      const std::string both = words_[i].text + " " + after;
      const bool is_read = ReadPhrase(*number, words_[i].span) ||
                           (!after.empty() && Read(*number, words_[i].span, SingularOf(after))) ||
                           (CountsPersons(i) && ReadPersons(*number, words_[i].span));
      if (is_read) {
        if (found_.back().said.empty()) found_.back().said = both;
        continue;
      }
      if (i > 0) Read(*number, words_[i].span, SingularOf(words_[i - 1].text));
    }
    return std::move(found_);
  }

 private:
  /// Digits, "10x", or a word for a number.
  std::optional<double> NumberAt(size_t i) const {
    const std::string& word = words_[i].text;
    if (!HasDigit(word)) {
      const int number = NumberOfAnyWord(word);
      return number > 1 ? std::make_optional<double>(number) : std::nullopt;
    }
    double number = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
    const View rest(parsed.ptr, static_cast<size_t>(word.data() + word.size() - parsed.ptr));
    if (parsed.ec != std::errc() || !(rest.empty() || rest == "x")) return std::nullopt;
    // "USB 3.0" is a version, of which folding leaves two digits.
    const auto is_digit = [&](size_t at) {
      return at < words_.size() && words_[at].text.size() == 1 && HasDigit(words_[at].text);
    };
    if (is_digit(i) && (is_digit(i + 1) || (i > 0 && is_digit(i - 1)))) return std::nullopt;
    return number;
  }

  /// "Phaser 6280" counts nothing.
  bool IsInName(const Span& span) const {
    return std::any_of(values_.begin(), values_.end(), [&](const NamedValue& each) {
      return each.span.begin < span.begin && span.end <= each.span.end;
    });
  }

  /// "Family of six", "6 people", "6 köpfige Familie".
  bool CountsPersons(size_t i) const {
    const size_t from = i >= 2 ? i - 2 : 0;
    std::string before, after;
    for (size_t at = from; at < i; ++at) before += (before.empty() ? "" : " ") + words_[at].text;
    for (size_t at = i + 1; at < std::min(i + 3, words_.size()); ++at) {
      after += (after.empty() ? "" : " ") + words_[at].text;
    }
    const auto& persons = PhrasesOf("person");
    return std::any_of(persons.begin(), persons.end(), [&](const std::string& phrase) {
      const bool leads = phrase.find(' ') != std::string::npos && before == phrase;
      return leads || after == phrase || after.starts_with(phrase + " ");
    });
  }

  bool ReadPersons(double number, const Span& span) {
    const SchemaKey* best = nullptr;
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind == Kind::kBoolean || !HasNameOf(key, "person key")) continue;
      // "Capacity: 4 people", not "capacity: 40 l".
      const bool states = std::any_of(key.values.begin(), key.values.end(), [](const auto& value) {
        return value.number && value.unit.empty();
      });
      if (states && (best == nullptr || key.records > best->records)) best = &key;
    }
    return best != nullptr && Add(*best, number, span);
  }

  /// "About 3 pieces" are wanted, "a pack of 3" is one; the years of somebody are no count.
  bool MayCount(const SchemaKey& key) const {
    return (asks_pack_ || !HasNameOf(key, "per pack")) && !IsNamedLike(key, "age key") &&
           key.folded.find("compatib") == std::string::npos;
  }

  bool Counts(const SchemaKey& key, const std::string& word) const {
    if (word.size() < 3 || IsOrdinaryWord(word)) return false;
    if (!MayCount(key)) return false;
    if (std::find(key.words.begin(), key.words.end(), word) != key.words.end()) return true;
    const bool is_phrase =
        std::any_of(key.phrases.begin(), key.phrases.end(),
                    [&](const auto& phrase) { return SingularOf(phrase) == word; });
    if (is_phrase) return true;
    return std::any_of(key.values.begin(), key.values.end(), [&](const SchemaValue& value) {
      const size_t blank = value.folded.find(' ');
      return value.number && blank != std::string::npos &&
             (SingularOf(value.folded.substr(blank + 1)) == word ||
              (word == "person" && value.folded.ends_with("people")));
    });
  }

  /// "30 pages per minute": what is counted is a phrase of several words.
  bool ReadPhrase(double number, const Span& span) {
    const View rest = message_.text().substr(std::min(span.end + 1, message_.text().size()));
    const SchemaKey* best = nullptr;
    size_t longest = 0;
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind == Kind::kBoolean || !MayCount(key)) continue;
      for (const std::string& phrase : key.phrases) {
        const bool follows = phrase.find(' ') != std::string::npos && rest.starts_with(phrase) &&
                             (rest.size() == phrase.size() || rest[phrase.size()] == ' ');
        const bool is_better =
            follows &&
            (phrase.size() > longest || (phrase.size() == longest && key.records > best->records));
        if (!is_better) continue;
        best = &key;
        longest = phrase.size();
      }
    }
    if (best == nullptr) return false;
    const Span whole{span.begin, std::min(span.end + 1 + longest, message_.text().size())};
    if (!Add(*best, number, whole)) return false;
    found_.back().said = std::string(message_.text().substr(whole.begin, whole.size()));
    return true;
  }

  bool Read(double number, const Span& span, const std::string& word) {
    if (retrieval::FindUnit(word)) return false;
    const SchemaKey* best = nullptr;
    for (const SchemaKey& key : schema_.keys()) {
      if (key.kind == Kind::kBoolean || !Counts(key, word)) continue;
      if (best == nullptr || key.records > best->records) best = &key;
    }
    return best != nullptr && Add(*best, number, span);
  }

  bool Add(const SchemaKey& key, double number, const Span& span) {
    const WordedBound bound = BoundAt(message_, span);
    std::vector<std::string> exact, more, less;
    for (const SchemaValue& value : key.values) {
      if (!value.number || IsCode(value.folded)) continue;
      const double stated = value.plain.value_or(*value.number);
      if (stated == number || HoldsBetween(value.folded, number)) exact.push_back(value.text);
      if (stated >= number) more.push_back(value.text);
      if (stated <= number) less.push_back(value.text);
    }
    if (bound.is_max) exact = less;
    const bool is_greater = exact.empty() && !bound.is_max && !bound.is_min;
    if (bound.is_min || is_greater) exact = more;
    if (exact.empty()) return false;
    // What sleeps six does for five.
    found_.push_back(
        {&key, std::move(exact), span, "", is_greater && !HasNameOf(key, "person key")});
    return true;
  }

  const FoldedMessage message_;
  const TypeSchema& schema_;
  const std::vector<NamedValue> values_;
  const std::vector<Word> words_;
  const bool asks_pack_;
  std::vector<KeyCondition> found_;
};

constexpr std::array<std::pair<View, int>, 13> kSizes = {{{"xxs", 0},
                                                          {"xs", 1},
                                                          {"s", 2},
                                                          {"small", 2},
                                                          {"m", 3},
                                                          {"medium", 3},
                                                          {"l", 4},
                                                          {"large", 4},
                                                          {"xl", 5},
                                                          {"xxl", 6},
                                                          {"2xl", 6},
                                                          {"xxxl", 7},
                                                          {"3xl", 7}}};

/// The rank of a size in letters; -1: none.
int RankOfLetters(View word) {
  const auto* found = std::find_if(kSizes.begin(), kSizes.end(),
                                   [&](const auto& each) { return each.first == word; });
  return found == kSizes.end() ? -1 : found->second;
}

/// "XS to XXL", "S-XL", "S, M, L" hold a size of that rank.
bool HoldsSize(const std::string& folded, int rank) {
  std::vector<int> ranks;
  bool is_interval = false;
  ForEachWord(folded, [&](const std::string& word) {
    if (const int each = RankOfLetters(word); each >= 0) ranks.push_back(each);
    is_interval |= word == "to" || word == "bis" || word == "a" || word == "至";
  });
  const bool is_listed = std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  return is_listed || (is_interval && ranks.size() == 2 && ranks[0] < rank && rank < ranks[1]);
}

/// "US 6 to 13" holds a 9; a list holds what it names.
bool HoldsNumber(const std::string& folded, double size) {
  std::vector<double> numbers;
  bool is_interval = false;
  ForEachWord(folded, [&](const std::string& word) {
    if (const auto number = retrieval::ParsePlainNumber(word)) numbers.push_back(*number);
    is_interval |= word == "to" || word == "bis" || word == "a" || word == "至";
  });
  const bool is_listed = std::find(numbers.begin(), numbers.end(), size) != numbers.end();
  return is_listed ||
         (is_interval && numbers.size() == 2 && numbers[0] < size && size < numbers[1]);
}

/// The ages in years that a value names: "6 years and up", "8 to 12", "18 months".
std::vector<double> AgesOf(const SchemaValue& value) {
  std::vector<double> ages;
  const double scale = value.folded.find("month") != std::string::npos ? 1 / kMonthsOfAYear : 1;
  ForEachWord(value.folded, [&](const std::string& word) {
    if (const auto number = retrieval::ParsePlainNumber(word)) ages.push_back(*number * scale);
  });
  return ages;
}

}  // namespace

std::vector<KeyCondition> FindCounts(const FoldedMessage& message, View language,
                                     const TypeSchema& schema) {
  return CountReader(message, language, schema).Run();
}

namespace {

/// A size that a message names: letters, or a number.
struct NamedSize {
  int rank = -1;
  std::optional<double> number = {};

  bool found() const { return rank >= 0 || number.has_value(); }
  bool IsHeldBy(const SchemaValue& value) const {
    return number ? HoldsNumber(value.folded, *number) : HoldsSize(value.folded, rank);
  }
};

bool IsOneOf(const std::string& word, View head) {
  const std::vector<std::string>& phrases = PhrasesOf(head);
  return std::find(phrases.begin(), phrases.end(), word) != phrases.end();
}

/// "Size L", "in XL", "talla 43", "42码". "In 9" is no size.
NamedSize SizeAt(const std::vector<Word>& words, size_t i) {
  std::string text = words[i].text;
  for (const View mark : {"码", "号"}) {
    const size_t at = text.find(mark);
    if (at != std::string::npos && at > 0) text.resize(at);
  }
  const bool is_marked = text != words[i].text;
  const bool is_size = is_marked || (i > 0 && IsOneOf(words[i - 1].text, "size"));
  if (is_size || (i > 0 && IsOneOf(words[i - 1].text, "letter size"))) {
    if (const int rank = RankOfLetters(text); rank >= 0) return {rank};
  }
  return is_size ? NamedSize{-1, retrieval::ParsePlainNumber(text)} : NamedSize();
}

}  // namespace

std::vector<KeyCondition> FindSizes(const FoldedMessage& message, const TypeSchema& schema) {
  const std::vector<Word> words = WordsOf(message.text());
  std::vector<KeyCondition> found;
  for (size_t i = 0; i < words.size(); ++i) {
    const NamedSize size = SizeAt(words, i);
    if (!size.found()) continue;
    KeyCondition best;
    for (const SchemaKey& key : schema.keys()) {
      if (!IsNamedLike(key, "size key")) continue;
      KeyCondition condition{&key, {}, words[i].span};
      for (const SchemaValue& value : key.values) {
        if (size.IsHeldBy(value)) condition.values.push_back(value.text);
      }
      const bool is_better = best.key == nullptr || key.records > best.key->records;
      if (!condition.values.empty() && is_better) best = std::move(condition);
    }
    if (best.key != nullptr) found.push_back(std::move(best));
  }
  return found;
}

std::optional<SizeDemand> FindSizeDemand(const FoldedMessage& message) {
  constexpr double kNoOther = 20;  // a greater number in the title of what has sizes is one
  const std::vector<Word> words = WordsOf(message.text());
  for (size_t i = 0; i < words.size(); ++i) {
    NamedSize size = SizeAt(words, i);
    size_t begin = i > 0 ? i - 1 : i, end = i;
    // "XL size", but no "large size bag": letters alone are a size wherever they stand.
    const bool is_before = i + 1 < words.size() && IsOneOf(words[i + 1].text, "size");
    if (!size.found() && is_before && !IsOneOf(words[i].text, "kind of size")) {
      size.rank = RankOfLetters(words[i].text);
      std::tie(begin, end) = std::pair(i, i + 1);
    }
    if (!size.found()) continue;
    const bool is_kind = begin > 0 && end == i && IsOneOf(words[begin - 1].text, "kind of size");
    const bool is_measure = end + 1 < words.size() && retrieval::FindUnit(words[end + 1].text);
    if (is_kind || (size.number && is_measure)) continue;
    SizeDemand demand;
    demand.span = {words[begin].span.begin, words[end].span.end};
    demand.condition.text = message.text().substr(demand.span.begin, demand.span.size());
    for (const auto& [name, rank] : kSizes) {
      if (rank == size.rank) demand.condition.any_of.push_back({StemOf(std::string(name))});
    }
    if (size.number) {
      for (const std::string& mark : PhrasesOf("bare size")) {
        demand.condition.any_of.push_back({StemOf(mark), words[i].text});
      }
      if (*size.number >= kNoOther) demand.condition.any_of.push_back({words[i].text});
    }
    return demand;
  }
  return std::nullopt;
}

std::vector<KeyCondition> FindAges(const FoldedMessage& message, const TypeSchema& schema) {
  const auto age = ReadAge(message);
  std::vector<KeyCondition> found;
  if (!age) return found;
  for (const SchemaKey& key : schema.keys()) {
    if (!IsNamedLike(key, "age key")) continue;
    KeyCondition condition{&key, {}, {}};
    for (const SchemaValue& value : key.values) {
      const std::vector<double> ages = AgesOf(value);
      const bool is_below = ages.size() > 1 && ages[1] > ages[0] && ages[1] < *age;
      if (!ages.empty() && ages[0] <= *age && !is_below) condition.values.push_back(value.text);
    }
    if (!condition.values.empty()) found.push_back(std::move(condition));
  }
  return found;
}

bool StatesReach(const SchemaKey& key) {
  return IsNamedLike(key, "area") || IsNamedLike(key, "load");
}

bool RunsAlong(const SchemaKey& key) {
  constexpr double kRun = 5000;  // mm
  return IsNamedLike(key, "run") &&
         std::any_of(key.values.begin(), key.values.end(), [](const SchemaValue& value) {
           return value.unit == "mm" && value.number.value_or(0) >= kRun;
         });
}

int NumberOfAnyWord(const std::string& word) {
  if (const int number = NumberOfWord(word); number > 0) return number;
  for (int number = 2; number <= kMaxNumberWord; ++number) {
    const auto words = TheCounts().find("number " + std::to_string(number));
    if (words == TheCounts().end()) continue;
    if (std::find(words->second.begin(), words->second.end(), word) != words->second.end()) {
      return number;
    }
  }
  return 0;
}

}  // namespace emptor::services
