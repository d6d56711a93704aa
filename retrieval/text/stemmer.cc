// libstemmer behind a handle; no other file includes its header.
#include "retrieval/text/stemmer.h"

#include <libstemmer.h>

#include <algorithm>

namespace emptor::retrieval {
namespace {

sb_stemmer* AsStemmer(void* stemmer) { return static_cast<sb_stemmer*>(stemmer); }

char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

Language LanguageOfLocale(std::string_view locale) {
  if (locale.size() < 2 || (locale.size() > 2 && locale[2] != '-' && locale[2] != '_')) {
    return Language::kOther;
  }
  const char tag[2] = {ToLower(locale[0]), ToLower(locale[1])};
  for (const Language language : kStemmedLanguages) {
    if (LanguageTag(language) == std::string_view(tag, 2)) return language;
  }
  return Language::kOther;
}

std::string_view LanguageTag(Language language) {
  switch (language) {
    case Language::kEnglish:
      return "en";
    case Language::kGerman:
      return "de";
    case Language::kFrench:
      return "fr";
    case Language::kSpanish:
      return "es";
    case Language::kOther:
      break;
  }
  return {};
}

void Stemmer::Free::operator()(void* stemmer) const { sb_stemmer_delete(AsStemmer(stemmer)); }

Stemmer::Stemmer(Language language) {
  const std::string tag(LanguageTag(language));
  if (!tag.empty()) stemmer_.reset(sb_stemmer_new(tag.c_str(), "UTF_8"));
}

std::string Stemmer::Stem(std::string_view word) const {
  constexpr size_t kMaxWordBytes = 256;
  if (stemmer_ == nullptr || word.size() > kMaxWordBytes) return std::string(word);
  sb_stemmer* stemmer = AsStemmer(stemmer_.get());
  const sb_symbol* stem = sb_stemmer_stem(stemmer, reinterpret_cast<const sb_symbol*>(word.data()),
                                          static_cast<int>(word.size()));
  if (stem == nullptr) return std::string(word);  // out of memory inside the library
  return std::string(reinterpret_cast<const char*>(stem),
                     static_cast<size_t>(sb_stemmer_length(stemmer)));
}

}  // namespace emptor::retrieval
