// Labelled conversations are read with their products, and a reading is compared with them.
#include "services/eval/labelled_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kLine =
    R"({"id":"1","lang":"en","turns":[)"
    R"({"say":"a kettle","acts":[{"act":"find","goods":"kettle","same":false}],)"
    R"("shown":["Torvane K70, 1.7 l | 45.90","Hobbrook K20 | € 1.299,00"]},)"
    R"({"say":"is the first loud","acts":[{"act":"ask","about":["1.1"],"what":"noise"},)"
    R"({"act":"compare","about":["1.1","1.2"]}],"shown":["Torvane K70, 1.7 l | 45.90"]},)"
    R"({"say":"the cheapest you have","acts":[{"act":"rank","about":"all"}],"shown":[]}]})"
    "\n";

LabelledConversation Read() {
  auto read = ParseLabelledTurns("a", kLine);
  EXPECT_TRUE(read.ok()) << read.status();
  return read.ok() && !read->empty() ? read->front() : LabelledConversation();
}

TEST(LabelledTurnsTest, ProductsAreOneWhereverTheyAreShown) {
  const LabelledConversation read = Read();
  ASSERT_EQ(read.turns.size(), 3u);
  ASSERT_EQ(read.products.size(), 2u);
  EXPECT_EQ(read.products[0].title, "Torvane K70, 1.7 l");
  EXPECT_EQ(read.products[0].goods, "kettle");
  EXPECT_EQ(read.products[0].price, 4590);
  EXPECT_EQ(read.products[1].price, 129900);
  EXPECT_THAT(read.turns[0].shown, ElementsAre("a-1-0", "a-1-1"));
  EXPECT_THAT(read.turns[1].acts[0].about, ElementsAre("a-1-0"));
  EXPECT_THAT(read.turns[1].shown, ElementsAre("a-1-0"));
}

TEST(LabelledTurnsTest, SaysWhatIsWrongWithALine) {
  const std::string good(kLine);
  const auto cut = ParseLabelledTurns("a", good + good.substr(0, 40));
  EXPECT_THAT(std::string(cut.status().message()), HasSubstr("line 2"));
  const auto unknown = ParseLabelledTurns(
      "a", R"({"id":"1","turns":[{"say":"x","acts":[{"act":"ask","about":["4.1"]}]}]})");
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("shown before"));
  EXPECT_FALSE(ParseLabelledTurns("a", R"({"id":"1","turns":[]})").ok());
  EXPECT_FALSE(ParseLabelledTurns("a", R"({"id":"1","turns":[{"say":""}]})").ok());
}

TEST(LabelledTurnsTest, CountsWhereAReadingAgrees) {
  const LabelledConversation read = Read();
  TurnAgreement found;
  found.Add(read.turns[0], {TurnSort::kFind});
  found.Add(read.turns[1], {TurnSort::kShown, {"a-1-0"}});
  found.Add(read.turns[1], {TurnSort::kShown, {"a-1-1", "a-1-0"}});  // of all acts
  found.Add(read.turns[1], {TurnSort::kShown, {"a-1-1"}});
  found.Add(read.turns[1], {TurnSort::kDesk});
  found.Add(read.turns[2], {TurnSort::kFind});  // of the shop, not of what was shown
  EXPECT_EQ(found.turns, 6);
  EXPECT_EQ(found.first, 5);
  EXPECT_EQ(found.any, 5);
  EXPECT_EQ(found.shown, 4);
  EXPECT_EQ(found.pointed, 2);
}

TEST(LabelledTurnsTest, GoodsAreTheSameByTheirLastWord) {
  EXPECT_TRUE(AreSameGoods("kids headphones", "Wireless TV Headphone"));
  EXPECT_FALSE(AreSameGoods("kettle", "kettle descaler"));
  const LabelledConversation read = Read();
  TurnAgreement found;
  found.AddCard(read.turns[0], "Electric Kettles");
  found.AddCard(read.turns[0], "Toaster");
  found.AddCard(read.turns[0], "");
  found.AddCard(read.turns[1], "Kettle");  // looks for nothing
  EXPECT_EQ(found.finds, 3);
  EXPECT_EQ(found.found, 1);
}

}  // namespace
}  // namespace emptor::services
