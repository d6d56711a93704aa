// Matches the phrases of needs.
#include "services/assistant/types/needs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <tuple>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

struct LexiconNeed {
  std::string name;
  std::vector<std::string> types, phrases;
  bool is_who = false;  // it says who gets the goods
};

/// "cooking : types kettle | pan : loves cooking | ... ; de: kocht gern".
const std::vector<LexiconNeed>& TheNeeds() {
  static const auto* const needs = [] {
    auto parsed = std::make_unique<std::vector<LexiconNeed>>();
    constexpr std::string_view kTypes = "types ";
    ForEachLexiconLine(kNeedLexicon, " : ", [&](std::string_view head, std::string_view rest) {
      const size_t mark = rest.find(" : ");
      if (!rest.starts_with(kTypes) || mark == std::string_view::npos) return;
      constexpr std::string_view kWho = " (who)";
      const bool is_who = head.ends_with(kWho);
      if (is_who) head.remove_suffix(kWho.size());
      LexiconNeed need{retrieval::FoldWords(head), {}, {}, is_who};
      need.types = AllPhrases(ParsePhraseGroups(rest.substr(kTypes.size(), mark - kTypes.size())));
      need.phrases = AllPhrases(ParsePhraseGroups(rest.substr(mark + 3)));
      parsed->push_back(std::move(need));
    });
    return parsed.release();
  }();
  return *needs;
}

constexpr double kMonthsOfAYear = 12;

}  // namespace

std::optional<Need> FindNeed(const FoldedMessage& message) {
  const LexiconNeed* best = nullptr;
  FoldedMessage::Span longest;
  for (const LexiconNeed& each : TheNeeds()) {
    const FoldedMessage::Span span = message.FindLongest(each.phrases);
    if (!span.found()) continue;
    const bool is_better =
        best == nullptr ||
        (each.is_who == best->is_who ? span.size() > longest.size() : best->is_who);
    if (is_better) std::tie(best, longest) = std::pair(&each, span);
  }
  if (best == nullptr) return std::nullopt;
  return Need{best->name, best->types, longest};
}

std::optional<double> ReadAge(const FoldedMessage& message) {
  constexpr std::array<std::string_view, 12> kYears = {"year",     "years", "yr",       "yrs",
                                                       "yo",       "jahre", "jahriger", "jahrige",
                                                       "jahriges", "ans",   "anos",     "ano"};
  constexpr std::array<std::string_view, 8> kMonths = {"month", "months", "monate", "monat",
                                                       "mois",  "meses",  "mes",    "mo"};
  constexpr std::array<std::string_view, 5> kBecomes = {"turns", "turning", "wird", "aged", "age"};
  const auto is_one = [](const std::string& word, const auto& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const std::vector<std::string> words = SplitWords(message.text());
  for (size_t i = 0; i < words.size(); ++i) {
    const int number = NumberOfWord(words[i]);
    if (number < 1) continue;
    const std::string after = i + 1 < words.size() ? words[i + 1] : "";
    if (is_one(after, kMonths)) return number / kMonthsOfAYear;
    if (is_one(after, kYears) || (i > 0 && is_one(words[i - 1], kBecomes))) return number;
  }
  const size_t at = message.text().find("岁");
  size_t begin = at;
  while (at != std::string_view::npos && begin > 0 && std::isdigit(message.text()[begin - 1]) != 0)
    --begin;
  if (begin == at) return std::nullopt;
  return NumberOfWord(std::string(message.text().substr(begin, at - begin)));
}

std::optional<double> MinAgeOf(const catalog::Product& product) {
  for (const catalog::Attribute& each : product.attributes) {
    const FoldedMessage name(each.name);
    if (!name.Has("age") || name.Has("max")) continue;
    const size_t digit = each.value.find_first_of("0123456789");
    if (digit == std::string::npos) continue;
    const size_t end = each.value.find_first_not_of("0123456789", digit);
    const int number = NumberOfWord(each.value.substr(digit, end - digit));
    const bool is_months = FoldedMessage(each.value).Has("month") || name.Has("month");
    return is_months ? number / kMonthsOfAYear : number;
  }
  return std::nullopt;
}

std::vector<std::string> TypesOfNeed(std::string_view name) {
  for (const LexiconNeed& each : TheNeeds()) {
    if (each.name == name) return each.types;
  }
  return {};
}

}  // namespace emptor::services
