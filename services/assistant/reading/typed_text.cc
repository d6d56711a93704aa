// Words as they were typed, next to their folded words.
#include "services/assistant/reading/typed_text.h"

#include <algorithm>
#include <utility>

#include "services/grounding/lexicon_text.h"

namespace emptor::services {

TypedText::TypedText(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view typed = text.substr(at, end - at);
    std::vector<std::string> folded = SplitWords(FoldedMessage(typed).text());
    typed_.push_back({typed, folded.size()});
    for (std::string& word : folded) words_.push_back(std::move(word));
    if (typed.ends_with(',') || typed.ends_with(';')) breaks_.push_back(words_.size());
    at = std::min(text.find_first_not_of(' ', end), text.size());
  }
}

bool TypedText::BreaksBefore(size_t at) const {
  return std::binary_search(breaks_.begin(), breaks_.end(), at);
}

std::string TypedText::Between(size_t begin, size_t end) const {
  std::string text;
  size_t at = 0;
  for (const TypedWord& each : typed_) {
    const bool is_in = at >= begin && at + each.folded <= end;
    if (is_in && each.folded > 0) text.append(text.empty() ? "" : " ").append(each.typed);
    at += each.folded;
  }
  constexpr std::string_view kMarks = ".,;:!-";
  while (!text.empty() && kMarks.find(text.back()) != std::string_view::npos) text.pop_back();
  return text;
}

}  // namespace emptor::services
