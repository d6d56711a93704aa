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
#include "services/assistant/words/situations.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

constexpr int kMaxChild = 17;  // years

/// "He is 6", "my son's 4 and": the number at `at` is somebody's age, where nothing is measured.
bool SaysAgeOf(const std::vector<std::string>& words, size_t at) {
  constexpr std::array<std::string_view, 12> kPersons = {
      "he",   "she",    "son",   "daughter", "kid",           "boy",
      "girl", "nephew", "niece", "grandson", "granddaughter", "child"};
  constexpr std::array<std::string_view, 6> kBehind = {"", "and", "now", "so", "but", "years"};
  const auto is_one = [](std::string_view word, const auto& list) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  const std::string_view after = at + 1 < words.size() ? std::string_view(words[at + 1]) : "";
  if (at == 0 || !is_one(after, kBehind)) return false;
  const std::string& verb = words[at - 1];
  if (verb == "hes" || verb == "shes") return true;
  return at > 1 && (verb == "is" || verb == "s") && is_one(words[at - 2], kPersons);
}

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
constexpr std::string_view kChild = "child";  // the situation whose need depends on the age

/// The need of a child of that age, as needs.txt calls it.
std::string_view NeedOfChild(std::optional<double> age) {
  struct Step {
    double below;
    std::string_view need;
  };
  constexpr std::array<Step, 4> kSteps = {
      {{1.5, "baby gift"}, {4, "toddler"}, {8, "young kids"}, {13, "older kids"}}};
  if (!age) return "young kids";
  for (const Step& each : kSteps) {
    if (*age < each.below) return each.need;
  }
  return "teenager";
}

const LexiconNeed* NeedOfName(std::string_view name) {
  const auto found = std::find_if(TheNeeds().begin(), TheNeeds().end(),
                                  [&](const LexiconNeed& each) { return each.name == name; });
  return found == TheNeeds().end() ? nullptr : &*found;
}

/// 8 of "ages 8 and up", "8+ years", "from 8 years", "8-12 yrs"; of a puzzle's pieces likewise.
std::optional<double> MinAgeOfTitle(const std::string& title) {
  constexpr size_t kMaxAge = 17, kNear = 2;  // words between a number and what it counts
  const FoldedMessage folded(title);
  const std::vector<std::string> words = SplitWords(folded.text());
  const auto is_one = [&](size_t at, std::initializer_list<std::string_view> known) {
    return at < words.size() && std::find(known.begin(), known.end(), words[at]) != known.end();
  };
  for (size_t i = 0; i < words.size(); ++i) {
    const int number = NumberOfWord(words[i]);
    if (number < 1) continue;
    if (is_one(i + 1, {"pieces", "piece", "pcs", "pc"}) && folded.Has("puzzle")) {
      constexpr std::array<std::pair<int, double>, 5> kPieces = {
          {{30, 3}, {70, 4}, {120, 6}, {300, 8}, {600, 10}}};
      for (const auto& [most, age] : kPieces) {
        if (number <= most) return age;
      }
      return kPieces.back().second + 2;
    }
    if (static_cast<size_t>(number) > kMaxAge) continue;
    bool is_age = i > 0 && is_one(i - 1, {"age", "ages", "aged"});
    for (size_t j = i + 1; j <= i + kNear + 1 && !is_age; ++j) {
      is_age = is_one(j, {"years", "year", "yrs", "yr"}) && !folded.Has("warranty");
      if (!is_one(j, {"to", "and", "plus", "up"}) && j < words.size() &&
          NumberOfWord(words[j]) < 1) {
        break;
      }
    }
    if (is_age) return number;
  }
  return std::nullopt;
}

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
  std::vector<FoldedMessage::Span> places = {longest};
  if (auto told = FindSituation(SituationKind::kNeed, message)) {
    const bool is_child = told->name == kChild;
    const LexiconNeed* const need =
        NeedOfName(is_child ? NeedOfChild(ReadAge(message)) : std::string_view(told->name));
    const bool is_who = need != nullptr && need->is_who && !is_child;
    const bool is_better =
        best == nullptr || (is_who == best->is_who ? told->letters > longest.size() : best->is_who);
    if (need != nullptr && is_better) {
      best = need;
      longest = told->span;
      places.clear();
    }
    // "Laptop" of "laptop disk is full" says the need, too, whose phrase is "disk is full".
    if (told->span.begin <= longest.end && longest.begin <= told->span.end) {
      places.insert(places.end(), told->places.begin(), told->places.end());
    }
  }
  if (best == nullptr) return std::nullopt;
  return Need{best->name, best->types, longest, std::move(places), best->is_who};
}

std::string LikingBeyondNeed(std::string_view message) {
  std::string liking = FindLiking(message);
  const FoldedMessage folded(message);
  const auto need = FindNeed(folded);
  const auto says_liking = [&](const FoldedMessage::Span& place) {
    return liking.find(folded.text().substr(place.begin, place.size())) != std::string::npos;
  };
  const bool is_said = need && std::any_of(need->places.begin(), need->places.end(), says_liking);
  return is_said ? "" : liking;
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
    if (number <= kMaxChild && SaysAgeOf(words, i)) return number;
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
  return MinAgeOfTitle(product.title);
}

std::vector<std::string> HelpOf(const ProductType& type) {
  if (type.is_advised && type.advised.empty()) return TypesOfNeed(type.name);
  std::vector<std::string> help = type.advised;
  help.insert(help.end(), type.alternatives.begin(), type.alternatives.end());
  return help;
}

std::vector<std::string> TypesOfNeed(std::string_view name) {
  const LexiconNeed* const need = NeedOfName(name);
  return need == nullptr ? std::vector<std::string>() : need->types;
}

}  // namespace emptor::services
