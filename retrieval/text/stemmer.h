// The languages that have a stemmer, and the stemmer (Snowball, by Debian's libstemmer).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace emptor::retrieval {

/// kOther: a language without a stemmer here (Chinese and Japanese are segmented, not stemmed), or
/// none known.
enum class Language : unsigned char { kOther, kEnglish, kGerman, kFrench, kSpanish };

inline constexpr std::array kStemmedLanguages = {Language::kEnglish, Language::kGerman,
                                                 Language::kFrench, Language::kSpanish};

/// The language of a BCP 47 tag: "de", "de-DE" and "DE_at" are German; kOther for anything else.
Language LanguageOfLocale(std::string_view locale);

/// "en", "de", "fr", "es"; empty for kOther.
std::string_view LanguageTag(Language language);

/// Porter 2001, "Snowball: a language for stemming algorithms".
/// Thread-safety: one thread. Making one takes microseconds.
class Stemmer {
 public:
  explicit Stemmer(Language language);

  /// The stem of a folded word (lower case, Latin letters without accents, as the analyzer leaves
  /// them); the word itself when the language has no stemmer.
  std::string Stem(std::string_view word) const;

 private:
  struct Free {
    void operator()(void* stemmer) const;
  };
  std::unique_ptr<void, Free> stemmer_;
};

}  // namespace emptor::retrieval
