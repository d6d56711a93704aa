// Folding by ICU, stems by Snowball, ideographs alone and in pairs.
#include "retrieval/cache/question_text.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>

#include "catalog/encoding/fnv.h"
#include "catalog/encoding/utf8.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/stop_words.h"
#include "retrieval/words/language.h"

namespace emptor::retrieval {
namespace {

struct Character {
  char32_t value = 0;
  std::string_view bytes;
};

/// Well-formed characters; ill-formed bytes are left out.
std::vector<Character> CharactersOf(std::string_view text) {
  std::vector<Character> characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    const auto point = catalog::DecodeUtf8(text);
    const size_t bytes = point.bytes == 0 ? 1 : point.bytes;
    if (point.bytes != 0) characters.push_back({point.value, text.substr(0, bytes)});
    text.remove_prefix(bytes);
  }
  return characters;
}

bool IsIdeograph(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}

bool IsDigit(const Character& c) { return u_isdigit(static_cast<UChar32>(c.value)); }

bool IsWordCharacter(char32_t c) {
  const auto type = u_charType(static_cast<UChar32>(c));
  return u_isalnum(static_cast<UChar32>(c)) || type == U_NON_SPACING_MARK ||
         type == U_COMBINING_SPACING_MARK;
}

/// Currencies, "%", "+", "#", "<", ">", "=", "&", "@", "/", "*": not the marks of sentences.
bool IsMeaningfulSign(char32_t c) {
  const auto type = u_charType(static_cast<UChar32>(c));
  if (type == U_CURRENCY_SYMBOL || type == U_MATH_SYMBOL) return c != U'~' && c != U'|';
  return c == U'%' || c == U'#' || c == U'&' || c == U'@';
}

bool IsApostrophe(char32_t c) { return c == U'\'' || c == 0x2019; }

/// Collects the terms of one question.
class TermReader {
 public:
  TermReader(Language language, QuestionText& read)
      : stemmer_(language == Language::kOther ? Language::kEnglish : language), read_(read) {}

  void Take(std::string_view word) {
    std::string latin;
    char32_t previous = 0;
    std::string_view previous_bytes;
    for (const Character& c : CharactersOf(word)) {
      if (!IsIdeograph(c.value)) {
        latin += c.bytes;
        previous = 0;
        continue;
      }
      TakeLatin(latin);
      latin.clear();
      ++read_.words;
      Add(c.bytes, true);
      if (previous != 0) Add(std::string(previous_bytes) + std::string(c.bytes), false);
      previous = c.value;
      previous_bytes = c.bytes;
    }
    TakeLatin(latin);
  }

  void Finish() {
    auto& terms = read_.terms;
    std::sort(terms.begin(), terms.end(),
              [](const auto& a, const auto& b) { return a.hash < b.hash; });
    terms.erase(std::unique(terms.begin(), terms.end(),
                            [](const auto& a, const auto& b) { return a.hash == b.hash; }),
                terms.end());
    auto& trigrams = read_.trigrams;
    std::sort(trigrams.begin(), trigrams.end());
    trigrams.erase(std::unique(trigrams.begin(), trigrams.end()), trigrams.end());
  }

 private:
  void Add(std::string_view term, bool is_function) {
    read_.terms.push_back({catalog::Fnv1a64(term), is_function});
  }

  void TakeLatin(const std::string& word) {
    if (word.empty()) return;
    ++read_.words;
    Add(stemmer_.Stem(word), IsStopWord(word));
    const std::string padded = "^" + word + "$";
    for (size_t i = 0; i + 3 <= padded.size(); ++i) {
      read_.trigrams.push_back(catalog::Fnv1a32(std::string_view(padded).substr(i, 3)));
    }
  }

  Stemmer stemmer_;
  QuestionText& read_;
};

}  // namespace

std::string ExactKey(std::string_view question) {
  const std::string folded = FoldForComparison(question);
  const std::vector<Character> characters = CharactersOf(folded);
  std::string key;
  bool gap = false;
  for (size_t i = 0; i < characters.size(); ++i) {
    const Character& c = characters[i];
    const bool in_number = (c.value == U'.' || c.value == U',') && i > 0 &&
                           i + 1 < characters.size() && IsDigit(characters[i - 1]) &&
                           IsDigit(characters[i + 1]);
    const bool is_minus = c.value == U'-' && i + 1 < characters.size() &&
                          IsDigit(characters[i + 1]) &&
                          (i == 0 || !IsWordCharacter(characters[i - 1].value));
    if (IsWordCharacter(c.value) || IsMeaningfulSign(c.value) || in_number || is_minus) {
      if (gap && !key.empty()) key.push_back(' ');
      gap = false;
      key += c.bytes;
    } else if (!IsApostrophe(c.value)) {
      gap = true;
    }
  }
  const bool says_something = std::any_of(characters.begin(), characters.end(), [](const auto& c) {
    return u_isalnum(static_cast<UChar32>(c.value)) || IsMeaningfulSign(c.value);
  });
  return says_something ? key : std::string();
}

QuestionText ReadQuestionText(std::string_view question, Language language) {
  QuestionText read;
  TermReader reader(language, read);
  const std::string folded = FoldWords(question);
  for (std::string_view rest = folded; !rest.empty();) {
    const size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) reader.Take(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  reader.Finish();
  return read;
}

Language LanguageOfQuestion(std::string_view question, std::string_view locale) {
  return locale.empty() ? DetectLanguage(question) : LanguageOfLocale(locale);
}

}  // namespace emptor::retrieval
