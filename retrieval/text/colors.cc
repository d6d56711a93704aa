// Colour words of five languages.
#include "retrieval/text/colors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>
#include <utility>

#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array kColors = {
    Entry{"beige", "beige"},
    Entry{"black", "black"},
    Entry{"schwarz", "black"},
    Entry{"schwarze", "black"},
    Entry{"schwarzer", "black"},
    Entry{"schwarzes", "black"},
    Entry{"schwarzen", "black"},
    Entry{"noir", "black"},
    Entry{"noire", "black"},
    Entry{"noirs", "black"},
    Entry{"noires", "black"},
    Entry{"negro", "black"},
    Entry{"negra", "black"},
    Entry{"negros", "black"},
    Entry{"negras", "black"},
    Entry{"黑色", "black"},
    Entry{"黒い", "black"},
    Entry{"黒の", "black"},
    Entry{"赤い", "red"},
    Entry{"赤の", "red"},
    Entry{"白い", "white"},
    Entry{"白の", "white"},
    Entry{"青い", "blue"},
    Entry{"青の", "blue"},
    Entry{"anthracite", "gray"},
    Entry{"blue", "blue"},
    Entry{"navy", "blue"},
    Entry{"blau", "blue"},
    Entry{"blaue", "blue"},
    Entry{"blauer", "blue"},
    Entry{"blaues", "blue"},
    Entry{"blauen", "blue"},
    Entry{"bleu", "blue"},
    Entry{"bleue", "blue"},
    Entry{"bleus", "blue"},
    Entry{"azul", "blue"},
    Entry{"azules", "blue"},
    Entry{"蓝色", "blue"},
    Entry{"brown", "brown"},
    Entry{"braun", "brown"},
    Entry{"braune", "brown"},
    Entry{"marron", "brown"},
    Entry{"棕色", "brown"},
    Entry{"bronze", "bronze"},
    Entry{"cyan", "cyan"},
    Entry{"gold", "gold"},
    Entry{"golden", "gold"},
    Entry{"dorado", "gold"},
    Entry{"金色", "gold"},
    Entry{"gray", "gray"},
    Entry{"grey", "gray"},
    Entry{"grau", "gray"},
    Entry{"graue", "gray"},
    Entry{"gris", "gray"},
    Entry{"灰色", "gray"},
    Entry{"green", "green"},
    Entry{"grun", "green"},
    Entry{"grün", "green"},
    Entry{"grüne", "green"},
    Entry{"vert", "green"},
    Entry{"verte", "green"},
    Entry{"verde", "green"},
    Entry{"verdes", "green"},
    Entry{"绿色", "green"},
    Entry{"ivory", "white"},
    Entry{"magenta", "magenta"},
    Entry{"orange", "orange"},
    Entry{"橙色", "orange"},
    Entry{"pink", "pink"},
    Entry{"rosa", "pink"},
    Entry{"粉色", "pink"},
    Entry{"purple", "purple"},
    Entry{"violet", "purple"},
    Entry{"lila", "purple"},
    Entry{"紫色", "purple"},
    Entry{"red", "red"},
    Entry{"rot", "red"},
    Entry{"rote", "red"},
    Entry{"roter", "red"},
    Entry{"rotes", "red"},
    Entry{"roten", "red"},
    Entry{"rouge", "red"},
    Entry{"rouges", "red"},
    Entry{"rojo", "red"},
    Entry{"roja", "red"},
    Entry{"rojos", "red"},
    Entry{"rojas", "red"},
    Entry{"红色", "red"},
    Entry{"silver", "silver"},
    Entry{"silber", "silver"},
    Entry{"plata", "silver"},
    Entry{"银色", "silver"},
    Entry{"teal", "teal"},
    Entry{"turquoise", "teal"},
    Entry{"transparent", "transparent"},
    Entry{"white", "white"},
    Entry{"weiß", "white"},
    Entry{"weiss", "white"},
    Entry{"weisse", "white"},
    Entry{"weisser", "white"},
    Entry{"weisses", "white"},
    Entry{"blanc", "white"},
    Entry{"blanche", "white"},
    Entry{"blanco", "white"},
    Entry{"blanca", "white"},
    Entry{"白色", "white"},
    Entry{"yellow", "yellow"},
    Entry{"gelb", "yellow"},
    Entry{"gelbe", "yellow"},
    Entry{"jaune", "yellow"},
    Entry{"amarillo", "yellow"},
    Entry{"amarilla", "yellow"},
    Entry{"黄色", "yellow"},
};

void AddColor(std::string_view word, std::vector<std::string>& colors) {
  const std::string_view color = FindColor(word);
  if (color.empty() || std::find(colors.begin(), colors.end(), color) != colors.end()) return;
  colors.emplace_back(color);
}

/// A word that is a colour, or what a run without blanks says: "白色运动鞋", "黒いケトル".
void AddColorsOfRun(std::string_view run, std::vector<std::string>& colors) {
  AddColor(run, colors);
  constexpr size_t kTwoCharacters = 6;  // bytes, of the scripts that write without blanks
  for (size_t i = 0; i + kTwoCharacters <= run.size(); ++i) {
    const bool begins = static_cast<unsigned char>(run[i]) >= 0xE0;
    if (begins) AddColor(run.substr(i, kTwoCharacters), colors);
  }
}

}  // namespace

std::string_view FindColor(std::string_view word) {
  static const std::unordered_map<std::string_view, std::string_view> kByWord(kColors.begin(),
                                                                              kColors.end());
  const auto found = kByWord.find(word);
  return found == kByWord.end() ? std::string_view() : found->second;
}

std::vector<std::string> ColorsIn(std::string_view text) {
  const std::string folded = FoldForComparison(text);
  std::vector<std::string> colors;
  size_t begin = 0;
  for (size_t i = 0; i <= folded.size(); ++i) {
    const auto c = static_cast<unsigned char>(i < folded.size() ? folded[i] : ' ');
    if (c >= 0x80 || std::isalnum(c) != 0) continue;
    AddColorsOfRun(std::string_view(folded).substr(begin, i - begin), colors);
    begin = i + 1;
  }
  return colors;
}

bool IsColorProperty(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {
      "color",      "colour",      "product color", "product colour", "cable color", "cable colour",
      "color name", "colour name", "farbe",         "couleur",        "颜色",        "case colour"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace emptor::retrieval
