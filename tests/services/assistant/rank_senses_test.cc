// "The biggest": by what it means for the type, wherever records state it.
#include "services/assistant/schema/rank_senses.h"

#include <gtest/gtest.h>

#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/title_facts.h"

namespace emptor::services {
namespace {

catalog::Product Tv(const std::string& title, std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.id = title;
  product.title = title;
  product.attributes = std::move(attributes);
  return product;
}

/// Diagonals in inches, in centimetres, in a title alone, and none.
std::vector<catalog::Product> Tvs() {
  return {Tv("Anvo A32 81.3 cm (32\")", {{"display diagonal", "32"}, {"width", "730"}}),
          Tv("Anvo A50 127 cm (50\")", {{"display diagonal", "50"}, {"width", "1120"}}),
          Tv("Anvo A24 61 cm (24\")", {{"display diagonal", "24"}, {"width", "550"}}),
          Tv("Anvo Flat", {{"display diagonal (metric)", "94"}, {"width", "900"}}),
          Tv("Anvo 2309m TV 2.16 m (85\")", {{"width", "1900"}}),
          Tv("Anvo Mystery", {{"width", "2500"}, {"battery life", "4 h"}})};
}

TypeSchema SchemaOf(const std::vector<catalog::Product>& products) {
  std::vector<const catalog::Product*> pointers;
  for (const auto& product : products) pointers.push_back(&product);
  return TypeSchema::Learn(pointers);
}

/// "greatest display diagonal", "least title".
std::string RankOf(const std::string& message, const TypeSchema& schema, const std::string& type) {
  const auto rank = ResolveRank(FoldedMessage(message), schema, {type});
  if (!rank) return "none";
  return (rank->is_least ? "least " : "greatest ") + rank->key +
         (rank->base.empty() ? "" : " in " + rank->base);
}

TEST(RankSensesTest, SizeIsWhatItMeansForTheType) {
  const TypeSchema tvs = SchemaOf(Tvs());
  for (const std::string message :
       {"the biggest", "the largest one you have", "größter", "le plus grand", "el más grande",
        "最大的", "with the biggest screen", "屏幕最大的"}) {
    EXPECT_EQ(RankOf(message, tvs, "tv"), "greatest display diagonal in mm") << message;
  }
  EXPECT_EQ(RankOf("the smallest", tvs, "tv"), "least display diagonal in mm");
  const TypeSchema none;
  EXPECT_EQ(RankOf("the biggest", none, "hard drive"), "greatest title in mb");
  EXPECT_EQ(RankOf("with the most storage", none, "usb stick"), "greatest title in mb");
  EXPECT_EQ(RankOf("con mayor capacidad", none, "washing machine"), "greatest title in g");
  EXPECT_EQ(RankOf("most powerful", none, "mixer grinder"), "greatest title in w");
  EXPECT_EQ(RankOf("the biggest", none, "poem"), "none");
  const TypeSchema vacuums =
      SchemaOf({Tv("Anvo V1", {{"suction", "2500 Pa"}, {"weight", "3 kg"}}),
                Tv("Anvo V2", {{"suction", "4000 Pa"}, {"weight", "4 kg"}})});
  EXPECT_THAT(RankOf("which of them is stronger", vacuums, "robot vacuum"),
              ::testing::StartsWith("greatest suction"));
}

TEST(RankSensesTest, APuzzleIsHarderByItsPieces) {
  const TypeSchema puzzles = SchemaOf({Tv("Harbour Puzzle", {{"number of puzzle pieces", "1000"}}),
                                       Tv("Farm Puzzle", {{"number of puzzle pieces", "48"}})});
  for (const std::string message : {"hardest one u have", "das schwierigste", "le plus difficile",
                                    "el más difícil", "最难的"}) {
    EXPECT_EQ(RankOf(message, puzzles, "puzzle"), "greatest number of puzzle pieces") << message;
  }
  EXPECT_EQ(RankOf("an easier one", puzzles, "puzzle"), "least number of puzzle pieces");
}

TEST(RankSensesTest, AnotherAttributeNextToTheWordIsRanked) {
  const TypeSchema tvs = SchemaOf(Tvs());
  EXPECT_EQ(RankOf("with the biggest width", tvs, "tv"), "greatest width");
  // Titles of phones state the battery, too.
  EXPECT_EQ(RankOf("with the biggest battery", TypeSchema(), "phone"), "greatest title in mah");
}

TEST(RankSensesTest, AnAttributeOfTheMessageComesBeforeTitles) {
  catalog::Product monitor;
  monitor.attributes = {{"resolution", "1920 x 1080"}};
  EXPECT_EQ(RankOf("highest resolution", SchemaOf({monitor}), "monitor"),
            "greatest resolution in px");
}

/// "least price, greatest display diagonal".
std::string DegreesOf(const std::string& message, const TypeSchema& schema,
                      const std::string& type) {
  std::string text;
  for (const SenseRank& each : FindDegrees(FoldedMessage(message), schema, {type})) {
    text += (text.empty() ? "" : ", ") + std::string(each.rank.is_least ? "least " : "greatest ") +
            each.rank.key;
  }
  return text;
}

TEST(RankSensesTest, AnAdjectiveInThePositivePrefers) {
  const TypeSchema tvs = SchemaOf(Tvs());
  for (const std::string message :
       {"a cheap tv", "a tv that is not too expensive", "ein günstiger tv", "une tv pas chère",
        "una tv barata", "便宜的电视"}) {
    EXPECT_EQ(DegreesOf(message, tvs, "tv"), "least price") << message;
  }
  EXPECT_EQ(DegreesOf("a big tv", tvs, "tv"), "greatest display diagonal");
  EXPECT_EQ(DegreesOf("a tv, nothing huge", tvs, "tv"), "least display diagonal");
  EXPECT_EQ(DegreesOf("a cheap small tv", tvs, "tv"), "least price, least display diagonal");
  EXPECT_EQ(DegreesOf("a tv", tvs, "tv"), "");
}

TEST(RankSensesTest, AnAdjectiveOfOtherGoodsPrefersNothing) {
  const TypeSchema tvs = SchemaOf(Tvs());
  EXPECT_EQ(DegreesOf("a tv for my small business", tvs, "tv"), "");
  EXPECT_EQ(DegreesOf("a big poem", TypeSchema(), "poem"), "");
}

/// "2159 by title", "940 by display diagonal (metric)", "none".
std::string ValueOfTv(const catalog::Product& product) {
  const auto rank = ResolveRank(FoldedMessage("biggest"), SchemaOf(Tvs()), {"tv"});
  const auto value = RankedValueOf(product, *rank, 0, {});
  if (!value) return "none";
  return std::to_string(static_cast<int>(value->number)) + " by " + value->key +
         (value->text.empty() ? "" : " " + value->text);
}

TEST(RankedValuesTest, AnyAttributeOrTheTitleStatesIt) {
  const auto tvs = Tvs();
  EXPECT_EQ(ValueOfTv(tvs[0]), "813 by display diagonal");
  EXPECT_EQ(ValueOfTv(tvs[3]), "940 by display diagonal (metric)");
  // The name of the model is no size.
  EXPECT_EQ(ValueOfTv(tvs[4]), "2159 by title 85\"");
  EXPECT_EQ(ValueOfTv(tvs[5]), "none");
  // Where the two disagree, and the title is clear.
  EXPECT_EQ(ValueOfTv(Tv("Anvo X 108 cm (43 inches)", {{"display diagonal", "4"}})),
            "1092 by title 43 inches");
  // Neither a maker's name nor a bad record is a size.
  EXPECT_EQ(ValueOfTv(Tv("3M Panel", {{"display diagonal", "9000"}})), "none");
}

TEST(RankedValuesTest, ThinIsTheLeastExtent) {
  catalog::Product laptop;
  laptop.attributes = {{"width", "320"}, {"depth", "14"}, {"height", "220"}};
  const auto rank = ResolveRank(FoldedMessage("thinnest"), SchemaOf({laptop}), {"laptop"});
  ASSERT_TRUE(rank.has_value());
  const auto value = RankedValueOf(laptop, *rank, 0, {});
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->key, "depth");
  EXPECT_EQ(value->number, 14);
}

TEST(RankedValuesTest, ACountBeginsItsValue) {
  EXPECT_TRUE(BeginsWithNumber("24x RJ-45"));
  EXPECT_TRUE(BeginsWithNumber("up to 21 h"));
  EXPECT_FALSE(BeginsWithNumber("IEC-320 C14"));
  EXPECT_FALSE(BeginsWithNumber("GeForce 8400 GS"));
  EXPECT_FALSE(BeginsWithNumber("none"));
}

TEST(RankedValuesTest, PixelsAreWidthTimesHeight) {
  EXPECT_EQ(PixelsOf("1920 x 1080 pixels"), 1920.0 * 1080);
  EXPECT_EQ(PixelsOf("WXGA (1280x800)"), 1280.0 * 800);
  EXPECT_FALSE(PixelsOf("2 x 4 GB").has_value());
  EXPECT_EQ(AmountAsWritten("Dell 68.6 cm (27\") 3840 x 2160 pixels", "px", 3840.0 * 2160),
            "3840 x 2160");
}

}  // namespace
}  // namespace emptor::services
