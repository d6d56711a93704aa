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

}  // namespace

AskedGoods ReadAskedGoods(const FoldedMessage& message) {
  AskedGoods asked;
  asked.fits_shown = HasCue(message, Cue::kFitting);
  FoldedMessage::Span request = FindCue(message, Cue::kRequest);
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
