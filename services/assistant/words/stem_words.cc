// Stems by their mark.
#include "services/assistant/words/stem_words.h"

namespace emptor::services {

std::string MarkStems(std::string_view text) {
  std::string marked;
  for (const char c : text) {
    if (c == '*') {
      marked += kStemMark;
    } else {
      marked += c;
    }
  }
  return marked;
}

bool IsStem(std::string_view word) {
  return word.size() >= kStemMark.size() + kMinStem && word.ends_with(kStemMark);
}

std::string_view WithoutStemMark(std::string_view stem) {
  return stem.substr(0, stem.size() - kStemMark.size());
}

bool MatchesWord(std::string_view known, std::string_view word) {
  if (IsStem(known)) return word.starts_with(WithoutStemMark(known));
  const bool is_plural = word.size() == known.size() + 1 && word.back() == 's';
  return word == known || (is_plural && word.starts_with(known));
}

}  // namespace emptor::services
