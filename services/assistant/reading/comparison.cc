// The table of comparing words.
#include "services/assistant/reading/comparison.h"

#include <algorithm>
#include <array>

namespace emptor::services {
namespace {

using Aspect = Comparison::Aspect;
using Names = std::span<const std::string_view>;
using Tokens = std::vector<retrieval::QueryToken>;
using View = std::string_view;

constexpr View kWeight[] = {"weight", "gewicht", "poids", "peso", "重量"};
constexpr View kWidth[] = {"width", "breite", "largeur", "ancho", "宽"};
constexpr View kHeight[] = {"height", "höhe", "hauteur", "altura", "alto", "高"};
constexpr View kDepth[] = {"depth", "tiefe", "profondeur", "fondo", "深"};
constexpr View kLength[] = {"length", "länge", "longueur", "largo", "长"};
constexpr View kNoise[] = {"noise", "sound", "lautstärke", "geräusch", "bruit", "ruido", "噪"};
constexpr View kSize[] = {"screen", "display", "diagonal",  "capacity", "volume", "size",
                          "größe",  "volumen", "kapazität", "capacité", "taille", "capacidad",
                          "tamaño", "尺寸",    "容量",      "width",    "breite", "largeur"};

struct Entry {
  View words;  // separated by blanks; in Chinese and Japanese a token for each character
  Aspect aspect;
  bool wants_more;
  Names properties = {};
  bool names_other = false;  // "than" is among the words
};

constexpr std::array kEntries = {
    Entry{"cheaper", Aspect::kPrice, false},
    Entry{"less expensive", Aspect::kPrice, false},
    Entry{"lower price", Aspect::kPrice, false},
    Entry{"more affordable", Aspect::kPrice, false},
    Entry{"便 宜 点", Aspect::kPrice, false},
    Entry{"便 宜 一 点", Aspect::kPrice, false},
    Entry{"更 便 宜", Aspect::kPrice, false},
    Entry{"billiger", Aspect::kPrice, false},
    Entry{"billigeres", Aspect::kPrice, false},
    Entry{"günstiger", Aspect::kPrice, false},
    Entry{"günstigeres", Aspect::kPrice, false},
    Entry{"preiswerter", Aspect::kPrice, false},
    Entry{"moins cher", Aspect::kPrice, false},
    Entry{"moins chère", Aspect::kPrice, false},
    Entry{"meilleur marché", Aspect::kPrice, false},
    Entry{"más barato", Aspect::kPrice, false},
    Entry{"más barata", Aspect::kPrice, false},
    Entry{"más económico", Aspect::kPrice, false},
    Entry{"も っ と 安 い", Aspect::kPrice, false},
    Entry{"よ り 安 い", Aspect::kPrice, false, {}, true},
    Entry{"more expensive", Aspect::kPrice, true},
    Entry{"pricier", Aspect::kPrice, true},
    Entry{"teurer", Aspect::kPrice, true},
    Entry{"teureres", Aspect::kPrice, true},
    Entry{"plus cher", Aspect::kPrice, true},
    Entry{"plus chère", Aspect::kPrice, true},
    Entry{"más caro", Aspect::kPrice, true},
    Entry{"más cara", Aspect::kPrice, true},
    Entry{"更 贵", Aspect::kPrice, true},
    Entry{"better rated", Aspect::kRating, true},
    Entry{"higher rated", Aspect::kRating, true},
    Entry{"better reviewed", Aspect::kRating, true},
    Entry{"better reviews", Aspect::kRating, true},
    Entry{"besser bewertet", Aspect::kRating, true},
    Entry{"mieux noté", Aspect::kRating, true},
    Entry{"mieux notée", Aspect::kRating, true},
    Entry{"mejor valorado", Aspect::kRating, true},
    Entry{"mejor valorada", Aspect::kRating, true},
    Entry{"评 分 更 高", Aspect::kRating, true},
    Entry{"lighter", Aspect::kMeasure, false, kWeight},
    Entry{"heavier", Aspect::kMeasure, true, kWeight},
    Entry{"leichter", Aspect::kMeasure, false, kWeight},
    Entry{"schwerer", Aspect::kMeasure, true, kWeight},
    Entry{"plus léger", Aspect::kMeasure, false, kWeight},
    Entry{"plus lourd", Aspect::kMeasure, true, kWeight},
    Entry{"más ligero", Aspect::kMeasure, false, kWeight},
    Entry{"más pesado", Aspect::kMeasure, true, kWeight},
    Entry{"更 轻", Aspect::kMeasure, false, kWeight},
    Entry{"更 重", Aspect::kMeasure, true, kWeight},
    Entry{"wider", Aspect::kMeasure, true, kWidth},
    Entry{"narrower", Aspect::kMeasure, false, kWidth},
    Entry{"taller", Aspect::kMeasure, true, kHeight},
    Entry{"deeper", Aspect::kMeasure, true, kDepth},
    Entry{"longer", Aspect::kMeasure, true, kLength},
    Entry{"quieter", Aspect::kMeasure, false, kNoise},
    Entry{"leiser", Aspect::kMeasure, false, kNoise},
    Entry{"bigger", Aspect::kMeasure, true, kSize},
    Entry{"larger", Aspect::kMeasure, true, kSize},
    Entry{"smaller", Aspect::kMeasure, false, kSize},
    Entry{"größer", Aspect::kMeasure, true, kSize},
    Entry{"kleiner", Aspect::kMeasure, false, kSize},
    Entry{"plus grand", Aspect::kMeasure, true, kSize},
    Entry{"plus petit", Aspect::kMeasure, false, kSize},
    Entry{"más grande", Aspect::kMeasure, true, kSize},
    Entry{"más pequeño", Aspect::kMeasure, false, kSize},
    Entry{"更 大", Aspect::kMeasure, true, kSize},
    Entry{"更 小", Aspect::kMeasure, false, kSize},
};

bool IsOneOf(View word, std::initializer_list<View> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "Which one is cheaper?" asks about the products shown.
bool AsksWhich(const Tokens& tokens, size_t at) {
  const bool is = at > 0 && IsOneOf(tokens[at - 1].text, {"is", "ist", "est", "es"});
  return is && std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(at),
                           [](const auto& token) { return token.text == "which"; });
}

/// "Why is it heavier?" and "is the first one lighter?" ask about the products shown, unlike "is
/// there anything lighter"; "not heavier" allows the same weight.
bool AsksWhether(const Tokens& tokens, size_t at) {
  if (at == 0) return false;
  if (IsOneOf(tokens[at - 1].text, {"not", "no", "nicht", "pas"})) return true;
  const bool is_there = tokens.size() > 1 && tokens[1].text == "there";
  return IsOneOf(tokens[0].text, {"why", "how"}) ||
         (IsOneOf(tokens[0].text, {"is", "are", "does"}) && !is_there);
}

}  // namespace

std::optional<Comparison> ReadComparison(const Tokens& tokens, bool points_back) {
  for (const Entry& entry : kEntries) {
    for (size_t at = 0; at < tokens.size(); ++at) {
      const size_t length = retrieval::PhraseLengthAt(tokens, at, entry.words);
      if (length == 0 || AsksWhich(tokens, at)) continue;
      // A question about a price asks for the lower one.
      const bool is_cheaper = entry.aspect == Aspect::kPrice && !entry.wants_more;
      if (!is_cheaper && AsksWhether(tokens, at)) continue;
      const size_t next = at + length;
      const bool than =
          entry.names_other ||
          (next < tokens.size() && IsOneOf(tokens[next].text, {"than", "then", "als", "que"}));
      if (than && !points_back) continue;
      return Comparison{entry.aspect, entry.wants_more, entry.properties, {}};
    }
  }
  return std::nullopt;
}

}  // namespace emptor::services
