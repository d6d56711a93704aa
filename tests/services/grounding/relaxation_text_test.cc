// The sentence about what was given up, in each language.
#include "services/grounding/relaxation_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emptor::services {
namespace {

using retrieval::Filter;
using retrieval::FilterPart;
using retrieval::RelaxationStep;

Filter Asked() {
  Filter filter{.max_price = 3500, .currency = "USD", .brands = {"Sony", "Bose"}};
  filter.colors = {"red"};
  filter.min_rating = 4;
  filter.attributes = {{"size", {"10"}}};
  filter.ranges = {{.attribute = "screen", .unit = "inch", .min = 27.0}};
  return filter;
}

TEST(RelaxationTextTest, SaysEachConditionWithItsValue) {
  const std::vector<RelaxationStep> steps = {{FilterPart::kMinRating},   {FilterPart::kColor},
                                             {FilterPart::kAttribute},   {FilterPart::kRange, true},
                                             {FilterPart::kPrice, true}, {FilterPart::kBrand}};
  EXPECT_EQ(ExplainRelaxation(Asked(), steps, "en-US"),
            "Nothing meets every condition. Left out: rating ≥ 4, colour, size 10, brand Sony, "
            "Bose. Widened: measures screen ≥ 27 inch, price ≤ $35.");
}

TEST(RelaxationTextTest, SpeaksSixLanguagesAndEnglishToOthers) {
  const std::vector<RelaxationStep> brand = {{FilterPart::kBrand}};
  Filter asked;
  asked.brands = {"Sony"};
  const auto in = [&](const char* locale) { return ExplainRelaxation(asked, brand, locale); };
  EXPECT_EQ(in(""), "Nothing meets every condition. Left out: brand Sony.");
  EXPECT_EQ(in("pt-BR"), in("en"));
  EXPECT_EQ(in("de-AT"), "Nichts erfüllt alle Bedingungen. Weggelassen: Marke Sony.");
  EXPECT_EQ(in("fr"),
            "Aucun produit ne remplit toutes les conditions. Critères ignorés : marque Sony.");
  EXPECT_EQ(in("es"),
            "Ningún producto cumple todas las condiciones. Sin tener en cuenta: marca Sony.");
  EXPECT_EQ(in("zh-CN"), "没有商品满足全部条件。未限制：品牌 Sony。");
  EXPECT_EQ(in("ja"), "すべての条件に合う商品はありません。外した条件：ブランド Sony。");
}

TEST(RelaxationTextTest, DetectsTheLanguageOfAText) {
  EXPECT_EQ(LanguageOfWords("kettle under $50"), "en");
  EXPECT_EQ(LanguageOfWords("ein Wasserkocher für die Küche"), "de");
  EXPECT_EQ(LanguageOfWords("une bouilloire pour la cuisine"), "fr");
  EXPECT_EQ(LanguageOfWords("un hervidor para la cocina"), "es");
  EXPECT_EQ(LanguageOfWords("300元以下的耳机"), "zh");
  EXPECT_EQ(LanguageOfWords("5000円以下のヘッドホン"), "ja");
  EXPECT_EQ(LanguageOfWords(""), "en");
}

TEST(RelaxationTextTest, AConditionWidenedAndThenDroppedCountsAsDropped) {
  const std::vector<RelaxationStep> steps = {{FilterPart::kPrice, true}, {FilterPart::kPrice}};
  EXPECT_EQ(ExplainRelaxation(Asked(), steps, "de"),
            "Nichts erfüllt alle Bedingungen. Weggelassen: Preis ≤ 35,00 $.");
  EXPECT_EQ(ExplainRelaxation(Asked(), {}, "de"), "");
}

}  // namespace
}  // namespace emptor::services
