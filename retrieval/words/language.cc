// Counting evidence.
#include "retrieval/words/language.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

using Word = std::pair<std::string_view, Language>;

constexpr Language kEn = Language::kEnglish;
constexpr Language kDe = Language::kGerman;
constexpr Language kFr = Language::kFrench;
constexpr Language kEs = Language::kSpanish;

// Sorted. Words that two of the languages share are left out.
constexpr std::array kFunctionWords = {
    Word{"and", kEn},  Word{"auf", kDe},     Word{"aus", kDe},  Word{"avec", kFr},
    Word{"bei", kDe},  Word{"by", kEn},      Word{"con", kEs},  Word{"dans", kFr},
    Word{"das", kDe},  Word{"dem", kDe},     Word{"den", kDe},  Word{"der", kDe},
    Word{"du", kFr},   Word{"ein", kDe},     Word{"eine", kDe}, Word{"el", kEs},
    Word{"est", kFr},  Word{"et", kFr},      Word{"for", kEn},  Word{"from", kEn},
    Word{"fur", kDe},  Word{"im", kDe},      Word{"is", kEn},   Word{"ist", kDe},
    Word{"las", kEs},  Word{"les", kFr},     Word{"los", kEs},  Word{"mit", kDe},
    Word{"my", kEn},   Word{"nicht", kDe},   Word{"of", kEn},   Word{"ohne", kDe},
    Word{"or", kEn},   Word{"ou", kFr},      Word{"para", kEs}, Word{"pour", kFr},
    Word{"que", kEs},  Word{"sans", kFr},    Word{"sin", kEs},  Word{"sur", kFr},
    Word{"the", kEn},  Word{"und", kDe},     Word{"une", kFr},  Word{"unter", kDe},
    Word{"with", kEn}, Word{"without", kEn}, Word{"y", kEs},    Word{"zu", kDe},
    Word{"zum", kDe},  Word{"zur", kDe},
};
static_assert(std::is_sorted(kFunctionWords.begin(), kFunctionWords.end(),
                             [](const Word& a, const Word& b) { return a.first < b.first; }));

using Letter = std::pair<std::string_view, Language>;
constexpr std::array kLetters = {
    Letter{"ä", kDe}, Letter{"ß", kDe}, Letter{"ü", kDe}, Letter{"ö", kDe},
    Letter{"ñ", kEs}, Letter{"¿", kEs}, Letter{"¡", kEs}, Letter{"ç", kFr},
    Letter{"è", kFr}, Letter{"ê", kFr}, Letter{"œ", kFr},
};

constexpr int kStrong = 2;
constexpr int kWeak = 1;

using Evidence = std::array<int, kStemmedLanguages.size() + 1>;  // by Language

void AddLetters(std::string_view text, Evidence& evidence) {
  for (const Letter& letter : kLetters) {
    if (text.find(letter.first) != std::string_view::npos) {
      evidence[static_cast<size_t>(letter.second)] += kStrong;
    }
  }
}

template <typename Visit>
void ForEachWord(std::string_view words, Visit visit) {
  while (!words.empty()) {
    const size_t blank = words.find(' ');
    visit(words.substr(0, blank));
    words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
  }
}

void AddFunctionWord(std::string_view word, Evidence& evidence) {
  const auto found =
      std::lower_bound(kFunctionWords.begin(), kFunctionWords.end(), word,
                       [](const Word& a, std::string_view b) { return a.first < b; });
  if (found != kFunctionWords.end() && found->first == word) {
    evidence[static_cast<size_t>(found->second)] += kStrong;
  }
}

/// The only language with the most evidence; kOther for none or several.
Language Strongest(const Evidence& evidence) {
  const int most = *std::max_element(evidence.begin(), evidence.end());
  if (most == 0 || std::count(evidence.begin(), evidence.end(), most) > 1) return Language::kOther;
  return static_cast<Language>(std::find(evidence.begin(), evidence.end(), most) -
                               evidence.begin());
}

}  // namespace

Language DetectLanguage(std::string_view text) {
  Evidence evidence = {};
  AddLetters(text, evidence);
  ForEachWord(FoldWords(text), [&](std::string_view word) { AddFunctionWord(word, evidence); });
  return Strongest(evidence);
}

Language DetectQueryLanguage(std::string_view query, const Vocabulary& vocabulary) {
  if (vocabulary.languages().size() == 1) return vocabulary.main_language();
  Evidence evidence = {};
  AddLetters(query, evidence);
  const std::string words = FoldWords(query);
  ForEachWord(words, [&](std::string_view word) {
    AddFunctionWord(word, evidence);
    const auto known = vocabulary.Find(word);
    if (!known) return;
    Language only = Language::kOther;
    for (const Language language : vocabulary.languages()) {
      if (!vocabulary.IsIn(language, *known)) continue;
      if (only != Language::kOther) return;  // in two languages
      only = language;
    }
    evidence[static_cast<size_t>(only)] += kWeak;
  });
  evidence[static_cast<size_t>(Language::kOther)] = 0;
  const Language strongest = Strongest(evidence);
  return strongest == Language::kOther ? vocabulary.main_language() : strongest;
}

}  // namespace emptor::retrieval
