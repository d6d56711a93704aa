// The noun behind a request: after "do you have a", before "for it".
#include "services/assistant/reading/asked_goods.h"

#include <algorithm>

#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxNameWords = 3;

/// "And a nice": what may stand between the request and the noun.
bool IsFiller(const std::string& word) {
  const FoldedMessage each = FoldedMessage::FromFolded(word);
  return HasCue(each, Cue::kDeterminer);
}

bool EndsName(const std::string& word) {
  return HasCue(FoldedMessage::FromFolded(word), Cue::kNameEnd) || IsOrdinaryWord(word) ||
         word.find_first_of("0123456789") != std::string::npos;
}

/// The noun behind the span, with fewer and fewer of its words.
std::vector<std::string> NamesBehind(const FoldedMessage& message,
                                     const FoldedMessage::Span& span) {
  const std::vector<std::string> words = SplitWords(message.text().substr(span.end));
  size_t at = 0;
  while (at < words.size() && IsFiller(words[at])) ++at;
  size_t end = at;
  while (end < words.size() && end - at < kMaxNameWords && !EndsName(words[end])) ++end;
  std::vector<std::string> names;
  for (; at < end; ++at) {
    std::string name;
    for (size_t i = at; i < end; ++i) name += (name.empty() ? "" : " ") + words[i];
    names.push_back(std::move(name));
  }
  return names;
}

/// "A" of "a spare lamp for it", "kosten" of "was kosten Beutel dazu".
bool BeginsGoods(const std::string& word) {
  const FoldedMessage each = FoldedMessage::FromFolded(word);
  return HasCue(each, Cue::kIndefinite) || HasCue(each, Cue::kPrice);
}

/// "Quel toner", which may be an attribute as well: "what filter size does it take".
bool AsksWhich(const std::string& word) {
  const FoldedMessage each = FoldedMessage::FromFolded(word);
  return HasCue(each, Cue::kWh) || HasCue(each, Cue::kWhich);
}

bool IsAccessory(const std::string& word) {
  return HasCue(FoldedMessage::FromFolded(word), Cue::kAccessory);
}

/// "What do replacement filters for it cost"; "how much paper does it take" asks for no price.
bool AsksPriceOf(const std::vector<std::string>& names, const FoldedMessage& message) {
  const std::vector<std::string> words = SplitWords(message.text());
  return std::any_of(names.begin(), names.end(), IsAccessory) &&
         std::any_of(words.begin(), words.end(), [](const std::string& word) {
           return HasCue(FoldedMessage::FromFolded(word), Cue::kPrice);
         });
}

/// "Bursten" of "ersatzbursten".
std::string WithoutSpare(const std::string& word) {
  constexpr std::string_view kSpare = "ersatz";
  constexpr size_t kMinRest = 4;
  const bool is_spare = word.starts_with(kSpare) && word.size() >= kSpare.size() + kMinRest;
  return is_spare ? word.substr(kSpare.size()) : word;
}

/// Sets the noun before the span, with fewer and fewer of its words: "lamp" of "what does a spare
/// lamp for it cost". Nothing where nothing says that goods are asked for.
void ReadNamesBefore(const FoldedMessage& message, const FoldedMessage::Span& span,
                     AskedGoods& asked) {
  const std::vector<std::string> words = SplitWords(message.text().substr(0, span.begin));
  size_t end = words.size();
  while (end > 0 && EndsName(words[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && end - begin < kMaxNameWords && !EndsName(words[begin - 1]) &&
         !IsFiller(words[begin - 1])) {
    --begin;
  }
  const std::vector<std::string> said(words.begin() + static_cast<std::ptrdiff_t>(begin),
                                      words.begin() + static_cast<std::ptrdiff_t>(end));
  // "A spare lamp": the article stands before what is left out.
  size_t before = begin;
  while (before > 0 && !BeginsGoods(words[before - 1]) &&
         (IsFiller(words[before - 1]) || IsAccessory(words[before - 1]))) {
    --before;
  }
  asked.is_bought =
      begin < end && ((before > 0 && BeginsGoods(words[before - 1])) || AsksPriceOf(said, message));
  const bool asks_which = before > 0 && AsksWhich(words[before - 1]);
  if (!asked.is_bought && !asks_which) return;
  for (; begin < end; ++begin) {
    std::string name;
    for (size_t i = begin; i < end; ++i) {
      name += (name.empty() ? "" : " ") + WithoutSpare(words[i]);
    }
    asked.names.push_back(std::move(name));
  }
}

}  // namespace

AskedGoods ReadAskedGoods(const FoldedMessage& message) {
  AskedGoods asked;
  asked.fits_shown = HasCue(message, Cue::kFitting);
  FoldedMessage::Span request = FindCue(message, Cue::kRequest);
  if (!request.found() && asked.fits_shown) {
    ReadNamesBefore(message, FindCue(message, Cue::kFitting), asked);
    if (!asked.names.empty()) return asked;
  }
  // "What toner does it take" asks for goods, "what colour is it" does not.
  if (!request.found() && asked.fits_shown) request = FindCue(message, Cue::kWh);
  if (!request.found()) return asked;
  asked.names = NamesBehind(message, request);
  // "What cartridge do I need for it": the noun stands before the request.
  const FoldedMessage::Span what = FindCue(message, Cue::kWh);
  if (asked.names.empty() && asked.fits_shown && what.found() && what.end < request.begin) {
    asked.names = NamesBehind(message, what);
  }
  return asked;
}

}  // namespace emptor::services
