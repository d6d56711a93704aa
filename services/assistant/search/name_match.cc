// Scores of titles, by the words that they share with a name.
#include "services/assistant/search/name_match.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/message_language.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr unsigned char kWideLead = 0xE3;  // of the first byte of a Chinese character
constexpr int kInRow = 1;
constexpr size_t kBeginning = 5;  // words of a title among which a line is named
constexpr size_t kMinName = 2;    // bytes
constexpr size_t kMinModelDigits = 2, kCutDigits = 3;
constexpr size_t kMaxRead = 600;   // members whose titles are read
constexpr size_t kFewMembers = 6;  // of a type in which a word of most titles still names

int WeightOf(NameEvidence evidence) { return static_cast<int>(evidence); }

bool IsNumber(const std::string& word) { return !word.empty() && DigitsOf(word) == word.size(); }

/// "2 tb": a number that tells variants apart, where a title has it next to its unit.
bool IsMeasureAt(const std::vector<std::string>& words, size_t at) {
  if (!IsNumber(words[at]) || at + 1 == words.size()) return false;
  return retrieval::ParseMeasure(words[at] + " " + words[at + 1]).has_value() ||
         retrieval::ParseMeasure(words[at] + words[at + 1]).has_value();
}

/// "boAt 和 Noise 哪个评分高": blanks where the script changes, and around words that join.
std::string Spaced(std::string_view text) {
  constexpr size_t kWideBytes = 3;
  constexpr std::string_view kOrElse = "还是";
  std::string spaced;
  bool was_wide = false;
  for (size_t i = 0; i < text.size();) {
    const bool is_wide =
        static_cast<unsigned char>(text[i]) >= kWideLead && i + kWideBytes <= text.size();
    const bool is_or = text.substr(i).starts_with(kOrElse);
    const size_t size = is_or ? kOrElse.size() : is_wide ? kWideBytes : 1;
    const std::string character(text.substr(i, size));
    const bool joins =
        is_or || (is_wide && (HasCue(FoldedMessage(character), Cue::kJoin) || character == "的"));
    if (is_wide != was_wide || joins) spaced += ' ';
    spaced += character == "的" ? "" : character;
    if (joins) spaced += ' ';
    was_wide = is_wide;
    i += size;
  }
  return spaced;
}

/// The words of a name with their weights, and the records that have each.
struct WeighedWord {
  std::string text;
  int weight = 0;
  bool needs_row = false;  // counts next to the word behind it alone
  std::vector<uint32_t> members = {};
};

std::vector<WeighedWord> Weigh(const TypeTable& table, const NameWords& name) {
  std::vector<WeighedWord> words;
  for (size_t i = 0; i < name.words.size(); ++i) {
    WeighedWord word{name.words[i], WeightOf(EvidenceOf(table, name, i))};
    word.needs_row = IsMeasureAt(name.words, i);
    if (word.needs_row) word.weight = WeightOf(NameEvidence::kMaker);
    if (word.weight > 0) word.members = table.schema.words().Find(DemandOf(word.text));
    const bool is_common =
        table.members.size() > kFewMembers && 2 * word.members.size() > table.members.size();
    // "Sonicare" names, however many there are; so does "the active".
    const bool is_noun = i > 0 && IsArticle(name.words[i - 1]);
    if (is_common && !is_noun && word.weight == WeightOf(NameEvidence::kWord)) word.weight = 0;
    words.push_back(std::move(word));
  }
  return words;
}

/// Positions of the members that may have the highest score, by the words of their records.
/// `context` adds members of its makers and names where the name is a number that may be cut.
std::vector<uint32_t> Candidates(const TypeTable& table, const std::vector<WeighedWord>& words,
                                 const std::set<std::string>& context) {
  std::map<uint32_t, int> scores;
  int most = 0;
  for (const WeighedWord& each : words) {
    if (each.weight == 0) continue;
    for (const uint32_t at : each.members) most = std::max(most, scores[at] += each.weight);
  }
  const bool is_cut =
      std::any_of(words.begin(), words.end(), [](const auto& each) { return IsNumber(each.text); });
  for (const std::string& word : context) {
    if (!is_cut || IsOrdinaryWord(word) || DigitsOf(word) > 0) continue;
    for (const uint32_t at : table.schema.words().Find(DemandOf(word))) ++scores[at];
  }
  // Words of other attributes than the title mislead by about one name.
  const int least = std::max(1, most - WeightOf(NameEvidence::kModel));
  std::vector<std::pair<int, uint32_t>> ranked;
  for (const auto& [at, score] : scores) {
    if (score >= least || is_cut) ranked.emplace_back(-score, at);
  }
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMaxRead) ranked.resize(kMaxRead);
  std::vector<uint32_t> candidates;
  for (const auto& each : ranked) candidates.push_back(each.second);
  return candidates;
}

struct TitleScore {
  int score = 0;
  int best_word = 0;  // the greatest weight among the words that count
  int elsewhere = 0;  // words of a lexicon behind the beginning: a colour, a size
};

/// "235" names "235v2" as well.
bool IsNamed(const std::string& of_title, const std::string& word) {
  if (of_title == word) return true;
  return IsNumber(word) && word.size() >= kCutDigits && of_title.size() > word.size() &&
         of_title.starts_with(word) &&
         std::isdigit(static_cast<unsigned char>(of_title[word.size()])) == 0;
}

TitleScore ScoreOf(const std::string& title, const std::vector<WeighedWord>& words) {
  const std::vector<std::string> of_title = SplitWords(retrieval::FoldWords(title));
  TitleScore result;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].weight == 0) continue;
    const auto at = std::find_if(of_title.begin(), of_title.end(),
                                 [&](const auto& each) { return IsNamed(each, words[i].text); });
    if (at == of_title.end()) continue;
    const bool in_row =
        i + 1 < words.size() && at + 1 != of_title.end() && *(at + 1) == words[i + 1].text;
    if (words[i].needs_row && !in_row) continue;
    const bool begins = at - of_title.begin() < static_cast<std::ptrdiff_t>(kBeginning);
    if (words[i].weight == WeightOf(NameEvidence::kWord) && !begins) {
      ++result.elsewhere;
      continue;
    }
    result.score += words[i].weight;
    if (!words[i].needs_row) result.best_word = std::max(result.best_word, words[i].weight);
    if (in_row && !IsArticle(words[i + 1].text)) result.score += kInRow;
  }
  return result;
}

/// Words of the other names that the title has as well: "rockerz" of "boat rockerz 255 vs 235".
int SharedWith(const std::string& title, const std::set<std::string>& context) {
  const std::vector<std::string> of_title = SplitWords(retrieval::FoldWords(title));
  return static_cast<int>(std::count_if(of_title.begin(), of_title.end(), [&](const auto& word) {
    return context.contains(word) && !IsOrdinaryWord(word);
  }));
}

/// A model, or else a name, is said that nothing of the type has: no product of it is meant,
/// whoever its maker is.
bool IsElsewhere(const std::vector<WeighedWord>& words) {
  for (const NameEvidence evidence : {NameEvidence::kModel, NameEvidence::kName}) {
    const auto counts = [&](const WeighedWord& each) {
      return each.weight >= WeightOf(evidence) && !IsNumber(each.text);
    };
    const bool has = std::any_of(words.begin(), words.end(), counts);
    const bool lacks = std::all_of(words.begin(), words.end(), [&](const WeighedWord& each) {
      return !counts(each) || each.members.empty();
    });
    if (has && lacks) return true;
  }
  return false;
}

/// "235", next to another side's "boat rockerz 255": a product of another maker is not it.
bool IsCutFromContext(const std::vector<WeighedWord>& words, const TypeTable& table,
                      const std::set<std::string>& context) {
  const bool is_number = std::all_of(words.begin(), words.end(), [](const auto& each) {
    return each.weight == 0 || IsNumber(each.text);
  });
  return is_number && std::any_of(context.begin(), context.end(), [&](const auto& word) {
           return table.schema.words().IsMostlyMaker(word);
         });
}

/// "Rockerz 999", of a line without one: none of the products has the number behind the name.
bool LacksNumber(const std::vector<WeighedWord>& words,
                 const std::vector<catalog::Product>& products) {
  for (size_t i = 1; i < words.size(); ++i) {
    const bool is_numbered = IsNumber(words[i].text) && words[i].text.size() >= kCutDigits &&
                             !words[i].needs_row && words[i].weight > 0 &&
                             words[i - 1].weight >= WeightOf(NameEvidence::kMaker) &&
                             !HasDigit(words[i - 1].text);
    if (!is_numbered) continue;
    const bool is_there = std::any_of(products.begin(), products.end(), [&](const auto& each) {
      const std::vector<std::string> title = SplitWords(retrieval::FoldWords(each.title));
      return std::any_of(title.begin(), title.end(), [&](const std::string& word) {
        return IsNamed(word, words[i].text) || word.ends_with(words[i].text);
      });
    });
    if (!is_there) return true;
  }
  return false;
}

}  // namespace

Understanding AboutProducts(Understanding understanding, std::vector<std::string> products) {
  Understanding about;
  about.language = std::move(understanding.language);
  about.message = std::move(understanding.message);
  about.search_text = std::move(understanding.search_text);
  about.filter.locale = std::move(understanding.filter.locale);
  about.type = std::move(understanding.type);
  about.list = std::move(understanding.list);
  about.referenced_products = std::move(products);
  return about;
}

bool IsUnknownWord(const std::string& word) {
  return !IsLexiconWord(word) && !IsOrdinaryWord(word) && !IsStoryWord(word) && !IsCueWord(word);
}

bool IsArticle(const std::string& word) {
  constexpr std::array<std::string_view, 13> kArticles = {
      "the", "der", "die", "das", "dem", "den", "le", "la", "les", "l", "el", "los", "las"};
  return std::find(kArticles.begin(), kArticles.end(), word) != kArticles.end();
}

NameEvidence EvidenceOf(const TypeTable& table, const NameWords& name, size_t at) {
  const std::string& word = name.words[at];
  // "1st" is a place, and no model.
  if (word.size() < kMinName || IsArticle(word) || name.ignored.contains(word) ||
      PlaceOfWord(word) != 0) {
    return NameEvidence::kNone;
  }
  if (const size_t digits = DigitsOf(word); digits > 0) {
    if (retrieval::ParseMeasure(word)) return NameEvidence::kNone;
    const bool is_model = digits < word.size() || digits >= kMinModelDigits;
    return is_model ? NameEvidence::kModel : NameEvidence::kNone;
  }
  if (table.schema.words().IsMostlyMaker(word)) return NameEvidence::kMaker;
  if (IsOrdinaryWord(word)) {
    const bool is_noun = at > 0 && IsArticle(name.words[at - 1]) && word.size() > kMinName;
    return is_noun ? NameEvidence::kWord : NameEvidence::kNone;
  }
  return IsLexiconWord(word) ? NameEvidence::kWord : NameEvidence::kName;
}

/// The words of the message, with a "," wherever a mark ends a part.
std::vector<std::string> WordsAndMarks(const std::string& message) {
  const bool has_wide =
      std::any_of(message.begin(), message.end(), [](unsigned char c) { return c >= kWideLead; });
  const std::string text = has_wide ? Spaced(message) : message;
  std::vector<std::string> words;
  std::string part;
  const auto flush = [&] {
    for (std::string& each : SplitWords(retrieval::FoldWords(part)))
      words.push_back(std::move(each));
    part.clear();
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_mark = std::string_view(",;?!").find(text[i]) != std::string_view::npos;
    const bool is_wide_mark = text.compare(i, 3, "，") == 0 || text.compare(i, 3, "？") == 0;
    if (!is_mark && !is_wide_mark) {
      part += text[i];
      continue;
    }
    flush();
    words.emplace_back(",");
    if (is_wide_mark) i += 2;
  }
  flush();
  return words;
}

absl::StatusOr<NameMatch> MatchName(const ShopReader& shop, const TypeTable& table,
                                    const NameWords& name) {
  const std::vector<WeighedWord> words = Weigh(table, name);
  NameMatch match;
  if (IsElsewhere(words)) return match;
  const bool is_cut = IsCutFromContext(words, table, name.context);
  std::tuple<int, int, int> best = {0, 0, 0};
  int best_word = 0;
  for (const uint32_t at : Candidates(table, words, name.context)) {
    auto product = shop.FindProduct(table.members[at]);
    if (!product.ok()) return product.status();
    if (!*product) continue;
    const TitleScore own = ScoreOf((*product)->title, words);
    if (own.score == 0) continue;
    const int shared = SharedWith((*product)->title, name.context);
    if (is_cut && shared == 0) continue;
    const std::tuple<int, int, int> score = {own.score, own.elsewhere, shared};
    if (score < best) continue;
    if (score > best) match.products.clear();
    best = score;
    best_word = own.best_word;
    match.products.push_back(**std::move(product));
  }
  if (LacksNumber(words, match.products)) match.products.clear();
  match.is_sure = best_word >= WeightOf(NameEvidence::kMaker);
  match.is_maker = best_word == WeightOf(NameEvidence::kMaker);
  return match;
}

}  // namespace emptor::services
