// Words and bounds as the shopper wrote them.
#include "services/assistant/reading/said_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "retrieval/text/fold.h"
#include "services/assistant/reading/search_conditions.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {

std::string WithNegation(const FoldedMessage& message, const FoldedMessage::Span& span) {
  const std::string_view text = message.text();
  size_t begin = span.begin, nearest = span.begin;
  while (begin > 0) {
    const size_t end = text.substr(0, begin).find_last_not_of(' ');
    if (end == std::string_view::npos) break;
    const size_t space = text.find_last_of(' ', end);
    begin = space == std::string_view::npos ? 0 : space + 1;
    if (nearest == span.begin) nearest = begin;
    // The reach may end within a word.
    if (span.begin - end > kNegationReach) break;
    const std::string before(text.substr(begin, span.begin - begin));
    if (HasCue(FoldedMessage::FromFolded(before), Cue::kNegation)) {
      return std::string(text.substr(begin, span.end - begin));
    }
  }
  return std::string(text.substr(nearest, span.end - nearest));
}

std::string SaidOf(const retrieval::NumericRange& range, std::string_view message) {
  if (range.min && range.max) {
    const auto demand = DemandOf(range, message);
    return demand ? demand->text : "";
  }
  const double bound = range.min ? *range.min : range.max.value_or(0);
  const std::string_view sign = range.min        ? (range.min_open ? ">" : "≥")
                                : range.max_open ? "<"
                                                 : "≤";
  return fmt::format("{} {:.6g}{}{}", sign, bound, range.unit.empty() ? "" : " ", range.unit);
}

bool IsRough(const retrieval::NumericRange& range, const FoldedMessage& message) {
  constexpr std::array<std::string_view, 12> kRough = {
      "around",   "about", "roughly", "etwa",          "circa", "ca",
      "ungefahr", "rund",  "environ", "approximately", "unos",  "unas"};
  const FoldedMessage::Span span =
      message.Find(FoldedMessage(SaidOf(range, message.text())).text());
  if (!span.found()) return message.HasAny(kRough);
  std::string_view before = message.text().substr(0, span.begin);
  before = before.substr(0, before.find_last_not_of(' ') + 1);
  const std::string last(before.substr(before.rfind(' ') + 1));
  return std::find(kRough.begin(), kRough.end(), last) != kRough.end();
}

std::string AsWritten(std::string_view message, const std::string& folded) {
  constexpr std::string_view kBetween = " \t\n,;.!?()";
  struct Word {
    size_t begin, end;
  };
  std::vector<Word> words;
  for (size_t at = message.find_first_not_of(kBetween); at != std::string_view::npos;) {
    const size_t end = std::min(message.find_first_of(kBetween, at), message.size());
    words.push_back({at, end});
    at = message.find_first_not_of(kBetween, end);
  }
  for (size_t i = 0; i < words.size(); ++i) {
    for (size_t j = i; j < words.size() && words[j].end - words[i].begin <= 2 * folded.size() + 8;
         ++j) {
      const std::string_view said = message.substr(words[i].begin, words[j].end - words[i].begin);
      if (retrieval::FoldWords(said) == folded) return std::string(said);
    }
  }
  return folded;
}

}  // namespace emptor::services
