// The noun of a request decides what kind of goods is meant.
#include "services/assistant/reading/head_types.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "services/assistant/reading/type_evidence.h"

namespace emptor::services {
namespace {

std::string PhraseOf(const std::string& message) {
  const FoldedMessage folded(message);
  const FoldedMessage::Span span = FindHeadPhrase(folded);
  return span.found() ? std::string(folded.text().substr(span.begin, span.size())) : "";
}

TEST(HeadPhraseTest, IsTheNounBeforeItsPurpose) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"switch to use one keyboard for two computers", "switch"},
      {"i want to buy a surfboard", "surfboard"},
      {"wool balls for knitting a sweater", "wool balls"},
      {"do you have a label tape for my printer", "label tape"},
      {"my plants stand on the floor, want a stand for them", "stand"},
      {"my plants stand on the floor", ""},
      {"something to fix a tv to the wall", ""},
      {"split one usb port into four", ""},
      {"", ""},
  };
  for (const auto& [message, phrase] : cases) EXPECT_EQ(PhraseOf(message), phrase) << message;
}

/// What `message` names in a shop without categories that sells everything.
std::string TypeIn(const std::string& message) {
  const FoldedMessage folded(message);
  const std::string language = "en";
  const ShopProfile profile;
  const SchemaLookup no_schema;
  const SoldLookup sells_all = [](const ProductType&, const std::string&) { return true; };
  const auto type =
      ReadNamedType({message, folded, language, &profile, nullptr, no_schema, sells_all, nullptr});
  return type ? type->name : "";
}

TEST(HeadTypeTest, GoodsNamedBehindTheNounAreNotAskedFor) {
  EXPECT_EQ(TypeIn("net to keep mosquitoes away from the stroller"), "mosquito net");
  EXPECT_EQ(TypeIn("tape for my brother p-touch label maker"), "label tape");
  EXPECT_EQ(TypeIn("three legged stand for my camera"), "tripod");
  EXPECT_EQ(TypeIn("stand for drying clothes on the balcony"), "clothe airer");
  EXPECT_EQ(TypeIn("box to carry my lunch to work"), "lunch box");
}

TEST(HeadTypeTest, AWordThatIsNoNameDecidesNothing) {
  EXPECT_EQ(TypeIn("somewhere comfy for the cat to sleep, a bed maybe"),
            TypeIn("a bed for the cat"));
}

TEST(HeadTypeTest, ANeedChoosesTheKindThatTheNounNames) {
  EXPECT_EQ(TypeIn("camera for video calls on my pc"), "webcam");
}

/// A shop whose balls have these titles, and whose records mention every word.
std::string BallsIn(const std::string& message, const std::vector<std::string>& titles) {
  std::vector<catalog::Product> products(titles.size());
  std::vector<const catalog::Product*> pointers;
  for (size_t i = 0; i < titles.size(); ++i) {
    products[i].title = titles[i];
    pointers.push_back(&products[i]);
  }
  const TypeSchema schema = TypeSchema::Learn(pointers);
  const FoldedMessage folded(message);
  const std::string language = "en";
  const ShopProfile profile;
  const SchemaLookup schema_of = [&](const ProductType&, const std::string&) { return &schema; };
  const SoldLookup sells_balls = [](const ProductType& type, const std::string&) {
    return type.name == "ball";
  };
  const std::function<size_t(const std::string&)> mentions = [](const std::string&) {
    return size_t{3};
  };
  const auto type = ReadNamedType({message,
                                   folded,
                                   language,
                                   &profile,
                                   nullptr,
                                   schema_of,
                                   sells_balls,
                                   nullptr,
                                   {},
                                   {},
                                   &mentions});
  return type ? type->name : "";
}

TEST(TypeEvidenceTest, ATypeWhoseRecordsKnowNothingSaidIsNotMeant) {
  EXPECT_EQ(BallsIn("balls for knitting a pullover", {"Brindle Cricket Ball"}), "");
  EXPECT_EQ(BallsIn("balls for knitting a pullover", {"Brindle Ball Knitting"}), "ball");
  EXPECT_EQ(BallsIn("balls for knitting", {"Brindle Cricket Ball"}), "ball") << "a single word";
}

TEST(TypeEvidenceTest, ALineThatTheTypeDoesNotKnowIsOfAMakerOfItsName) {
  EXPECT_EQ(BallsIn("ball rockerz 330", {"Brindle Cricket Ball"}), "");
  EXPECT_EQ(BallsIn("ball rockerz 330", {"Rockerz Cricket Ball"}), "ball");
}

TEST(TypeEvidenceTest, StoryWordsAndNumbersTellNothing) {
  EXPECT_TRUE(
      WordsBesides(FoldedMessage("a ball for my son and his birthday, 12"), "ball").empty());
}

}  // namespace
}  // namespace emptor::services
