// Words of titles by the kind of value that they are.
#include "services/assistant/schema/title_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr std::string_view kKind = "kind ", kAsks = "asks ", kPer = "per ";
constexpr size_t kMaxValues = 4;
constexpr int kMaxPieces = 5000;
constexpr size_t kMinThing = 4;  // letters of what is counted: "star", not "in"

const PhraseTable& TheTitles() {
  static const auto* const table = new PhraseTable(ParsePhraseTable(kTitleLexicon, " : "));
  return *table;
}

const std::vector<std::string>& Phrases(std::string_view head) {
  return TheTitles().find(head)->second;
}

/// The phrases that stand in the text, the longest of those that overlap.
std::vector<std::string> FindAll(const FoldedMessage& text,
                                 const std::vector<std::string>& phrases) {
  std::vector<std::pair<size_t, std::string>> found;
  FoldedMessage rest = text;
  for (auto span = rest.FindLongest(phrases); span.found() && found.size() < kMaxValues;
       span = rest.FindLongest(phrases)) {
    found.emplace_back(span.begin, text.text().substr(span.begin, span.size()));
    rest = rest.Without(span);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> values;
  for (auto& [at, value] : found) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
      values.push_back(std::move(value));
    }
  }
  return values;
}

/// The question names a value of the kind, in English or in its language.
bool NamesValue(const FoldedMessage& question, std::string_view language,
                const std::vector<std::string>& phrases) {
  if (question.HasAny(phrases)) return true;
  const auto named = FindNamedValues(question, language);
  return std::any_of(named.begin(), named.end(), [&](const NamedValue& value) {
    return std::find(phrases.begin(), phrases.end(), value.canonical) != phrases.end();
  });
}

/// A word of the question, beyond those phrases and what names values, is not in the title.
bool AsksOfOther(FoldedMessage rest, std::string_view language, std::string_view title,
                 const std::vector<const std::vector<std::string>*>& known) {
  for (const NamedValue& value : FindNamedValues(rest, language)) rest = rest.Without(value.span);
  for (const auto* phrases : known) {
    for (auto span = rest.FindLongest(*phrases); span.found(); span = rest.FindLongest(*phrases)) {
      rest = rest.Without(span);
    }
  }
  const std::vector<std::string> words = TellingWords(rest);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return !IsStruckOut(word) && !IsWideText(word) && !Meets(title, DemandOf(word));
  });
}

int CountAt(const std::vector<std::string>& words, size_t at) {
  const int count = at < words.size() ? NumberOfWord(words[at]) : 0;
  return count > 0 && count <= kMaxPieces ? count : 0;
}

/// The number of units of the dimension in the title, over all pieces; 0: the title does not say.
double AmountInTitle(std::string_view title, std::string_view base) {
  double amount = 0;
  for (const retrieval::Measure& measure : retrieval::FindMeasures(title, kMaxValues)) {
    if (measure.base != base) continue;
    if (amount > 0) return 0;
    amount = measure.value;
  }
  const auto pack = PackInTitle(title);
  return pack ? amount * pack->count : amount;
}

int PiecesOf(const catalog::Product& product) {
  for (const std::string& key : Phrases("pack key")) {
    for (const catalog::Attribute& each : product.attributes) {
      if (retrieval::FoldWords(each.name) != key) continue;
      const auto count = retrieval::ParsePlainNumber(each.value);
      if (count && *count > 1 && *count <= kMaxPieces) return static_cast<int>(*count);
    }
  }
  const auto pack = PackInTitle(product.title);
  return pack ? pack->count : 0;
}

}  // namespace

std::vector<std::string> ValuesInTitle(const FoldedMessage& question, const FoldedMessage& rest,
                                       std::string_view language, std::string_view title,
                                       bool asks_yes_no) {
  const FoldedMessage folded(title);
  for (const auto& [head, phrases] : TheTitles()) {
    if (!head.starts_with(kKind)) continue;
    const bool names = NamesValue(question, language, phrases);
    const auto& asking = Phrases(std::string(kAsks) + head.substr(kKind.size()));
    // "Front load or top load".
    const bool asks_value = asks_yes_no || HasCue(question, Cue::kOr);
    if (!(asks_value && names) && (asks_yes_no || !question.HasAny(asking))) continue;
    if (AsksOfOther(rest, language, title, {&phrases, &asking})) continue;
    std::vector<std::string> values = FindAll(folded, phrases);
    if (!values.empty()) return values;
  }
  return {};
}

std::optional<Pack> PackInTitle(std::string_view title) {
  const FoldedMessage folded(title);
  std::optional<Pack> pack;
  const auto add = [&](std::string text, int count) {
    if (count == 0 || (pack && pack->count == count)) return true;
    if (pack) return false;
    pack = Pack{std::move(text), count};
    return true;
  };
  // "Pack of 3" before "6 pcs in each".
  for (const std::string& phrase : Phrases("pack before")) {
    const auto span = folded.Find(phrase);
    if (!span.found()) continue;
    const std::vector<std::string> words = SplitWords(folded.text().substr(span.end));
    const int count = CountAt(words, 0);
    if (!add(phrase + " " + (words.empty() ? "" : words.front()), count)) return std::nullopt;
  }
  if (pack) return pack;
  const std::vector<std::string> words = SplitWords(folded.text());
  const std::vector<std::string>& behind = Phrases("pack behind");
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const bool is_count = std::find(behind.begin(), behind.end(), words[i + 1]) != behind.end();
    if (is_count && !add(words[i] + " " + words[i + 1], CountAt(words, i))) return std::nullopt;
  }
  return pack;
}

bool AsksForPack(const FoldedMessage& question, const FoldedMessage& rest, std::string_view title) {
  if (!question.HasAny(Phrases("asks pack"))) return false;
  const FoldedMessage folded(title);
  const std::vector<std::string>& pieces = Phrases("piece");
  const std::vector<std::string> counted = TellingWords(WithoutDimensions(rest));
  return std::all_of(counted.begin(), counted.end(), [&](const std::string& word) {
    if (std::find(pieces.begin(), pieces.end(), word) != pieces.end()) return true;
    return IsWideText(word) ? FoldedMessage::FromFolded(word).HasAny(pieces)
                            : Meets(title, DemandOf(word));
  });
}

bool TitleCountsOtherwise(const FoldedMessage& question, std::string_view title) {
  const std::vector<std::string> asked = SplitWords(question.text());
  const std::vector<std::string> said = SplitWords(FoldedMessage(title).text());
  const auto counted_as = [&](const std::string& thing) {
    std::vector<int> counts;
    for (size_t i = 0; i + 1 < said.size(); ++i) {
      if (StemOf(said[i + 1]) == StemOf(thing) && CountAt(said, i) > 0) {
        counts.push_back(CountAt(said, i));
      }
    }
    return counts;
  };
  for (size_t i = 0; i + 1 < asked.size(); ++i) {
    const int count = CountAt(asked, i);
    if (count == 0 || asked[i + 1].size() < kMinThing) continue;
    const std::vector<int> counts = counted_as(asked[i + 1]);
    const bool is_there = std::find(counts.begin(), counts.end(), count) != counts.end();
    if (!counts.empty() && !is_there) return true;
  }
  return false;
}

std::string CountInTitle(const FoldedMessage& question, std::string_view title) {
  const std::vector<std::string> asked = SplitWords(question.text());
  const std::vector<std::string> said = SplitWords(FoldedMessage(title).text());
  for (size_t i = 0; i + 1 < said.size(); ++i) {
    if (CountAt(said, i) == 0 || said[i + 1].size() < kMinThing) continue;
    const bool is_asked = std::any_of(asked.begin(), asked.end(), [&](const std::string& word) {
      return StemOf(word) == StemOf(said[i + 1]);
    });
    if (is_asked) return said[i] + " " + said[i + 1];
  }
  return "";
}

bool TitleDenies(const FoldedMessage& question, std::string_view title) {
  const auto is_one_of = [](const std::string& word, std::string_view head) {
    const auto& words = Phrases(head);
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  // Whether each place of the word is denied; nothing: it does not stand there.
  const auto is_denied = [&](const std::vector<std::string>& words, const std::string& word) {
    std::optional<bool> denied;
    for (size_t i = 0; i < words.size(); ++i) {
      if (StemOf(words[i]) != StemOf(word)) continue;
      const bool is_here = (i > 0 && is_one_of(words[i - 1], "denied before")) ||
                           (i + 1 < words.size() && is_one_of(words[i + 1], "denied behind"));
      denied = denied.value_or(true) && is_here;
    }
    return denied.value_or(false);
  };
  const std::vector<std::string> asked = SplitWords(question.text());
  const std::vector<std::string> said = SplitWords(FoldedMessage(title).text());
  const std::vector<std::string> telling = TellingWords(question);
  return std::any_of(telling.begin(), telling.end(), [&](const std::string& word) {
    return is_denied(said, word) && !is_denied(asked, word);
  });
}

std::optional<PriceOf> ReadPriceOf(const FoldedMessage& question, const catalog::Product& product) {
  for (const auto& [head, phrases] : TheTitles()) {
    if (!head.starts_with(kPer) || !question.HasAny(phrases)) continue;
    const std::vector<std::string> words = SplitWords(head);
    const double factor = std::strtod(words[2].c_str(), nullptr);
    const double amount = AmountInTitle(product.title, words[1]) / factor;
    if (amount <= 0) continue;
    const std::string unit = head.substr(head.find(words[2]) + words[2].size() + 1);
    const bool is_share = words.size() > 4;  // "100 g"
    return PriceOf{
        1 / amount, unit,
        is_share ? fmt::format("{:g} × {}", amount, unit) : fmt::format("{:g} {}", amount, unit)};
  }
  if (!question.HasAny(Phrases("each"))) return std::nullopt;
  const int pieces = PiecesOf(product);
  if (pieces < 2) return std::nullopt;
  return PriceOf{1.0 / pieces, "", std::to_string(pieces)};
}

}  // namespace emptor::services
