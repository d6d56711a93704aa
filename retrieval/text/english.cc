// The S-stemmer and its tables.
#include "retrieval/text/english.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emptor::retrieval {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Sorted by the first member. Irregular plurals, plurals that the rules get wrong, spelling
// variants.
constexpr std::array kExceptions = {
    Pair{"aluminium", "aluminum"}, Pair{"axes", "axe"},         Pair{"beanies", "beanie"},
    Pair{"birdies", "birdie"},     Pair{"brownies", "brownie"}, Pair{"caches", "cache"},
    Pair{"calories", "calorie"},   Pair{"calves", "calf"},      Pair{"catalogue", "catalog"},
    Pair{"catalogues", "catalog"}, Pair{"centre", "center"},    Pair{"centres", "center"},
    Pair{"children", "child"},     Pair{"colour", "color"},     Pair{"colours", "color"},
    Pair{"cookies", "cookie"},     Pair{"feet", "foot"},        Pair{"fibre", "fiber"},
    Pair{"fibres", "fiber"},       Pair{"grey", "gray"},        Pair{"halves", "half"},
    Pair{"heroes", "hero"},        Pair{"hoodies", "hoodie"},   Pair{"jewellery", "jewelry"},
    Pair{"knives", "knife"},       Pair{"leaves", "leaf"},      Pair{"lens", "lens"},
    Pair{"lenses", "lens"},        Pair{"litre", "liter"},      Pair{"litres", "liter"},
    Pair{"loaves", "loaf"},        Pair{"men", "man"},          Pair{"metre", "meter"},
    Pair{"metres", "meter"},       Pair{"mice", "mouse"},       Pair{"movies", "movie"},
    Pair{"onesies", "onesie"},     Pair{"pies", "pie"},         Pair{"potatoes", "potato"},
    Pair{"quizzes", "quiz"},       Pair{"scarves", "scarf"},    Pair{"selfies", "selfie"},
    Pair{"series", "series"},      Pair{"shelves", "shelf"},    Pair{"smoothies", "smoothie"},
    Pair{"teeth", "tooth"},        Pair{"theatre", "theater"},  Pair{"theatres", "theater"},
    Pair{"ties", "tie"},           Pair{"tomatoes", "tomato"},  Pair{"toothaches", "toothache"},
    Pair{"tyre", "tire"},          Pair{"tyres", "tire"},       Pair{"wolves", "wolf"},
    Pair{"women", "woman"},        Pair{"zombies", "zombie"},
};

bool IsVowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

}  // namespace

void FoldEnglish(std::string& word) {
  if (word.size() < 3) return;
  const auto known =
      std::lower_bound(kExceptions.begin(), kExceptions.end(), word,
                       [](const Pair& a, const std::string& b) { return a.first < b; });
  if (known != kExceptions.end() && known->first == word) {
    word = known->second;
    return;
  }
  if (word.back() != 's') return;
  const size_t n = word.size();
  const char before = word[n - 2];
  if (n == 3) {  // "tvs", "pcs", but not "gas", "bus"
    if (!IsVowel(before) && before != 's') word.pop_back();
    return;
  }
  if (before == 's' || before == 'u' || before == 'i') return;  // glass, status, tennis
  if (word.ends_with("ies") && word[n - 4] != 'e' && word[n - 4] != 'a') {
    word.replace(n - 3, 3, 1, 'y');
    return;
  }
  for (std::string_view suffix : {"sses", "shes", "ches", "xes", "zzes"}) {
    if (n > suffix.size() && word.ends_with(suffix)) {
      word.resize(n - 2);
      return;
    }
  }
  word.pop_back();
}

bool IsPlainWord(std::string_view word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace emptor::retrieval
