// Makers' names for goods in messages and titles.
#include "services/assistant/types/trade_names.h"

#include <gtest/gtest.h>

#include <string>

#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"

namespace emptor::services {
namespace {

std::string SpanOf(const FoldedMessage& message, const TradeName& name) {
  return std::string(message.text().substr(name.span.begin, name.span.size()));
}

TEST(TradeNamesTest, FindsTheLongestNameAndTheModelBehindIt) {
  const FoldedMessage message("do you have the iPhone 14 Pro Max in blue");
  const auto found = FindTradeName(message);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->type, "phone");
  EXPECT_EQ(found->name, "iphone");
  EXPECT_EQ(SpanOf(message, *found), "iphone 14 pro max");
  const auto console = FindTradeName(FoldedMessage("a nintendo switch for my son"));
  ASSERT_TRUE(console);
  EXPECT_EQ(console->name, "nintendo switch");
  EXPECT_EQ(console->type, "game console");
}

TEST(TradeNamesTest, FindsNoneInOrdinaryWords) {
  EXPECT_FALSE(FindTradeName(FoldedMessage("i want a tablet that beats the heat")));
  EXPECT_FALSE(IsTradeName("tablet"));
  EXPECT_TRUE(IsTradeName("ipad"));
  EXPECT_TRUE(IsTradeWord("sonos"));
}

TEST(TradeNamesTest, ATitleIsOfWhatItNamesBesideTheTradeName) {
  const ProductType phone{"phone", {}, {"phone", "iphone"}, true};
  const ProductType console{"game console", {}, {"game console", "playstation"}, true};
  EXPECT_TRUE(IsOfType("Apple iPhone 12 64 GB Black", phone));
  EXPECT_FALSE(IsOfType("Contour iPhone 3G, Plum mobile phone case Pink", phone));
  EXPECT_FALSE(IsOfType("Dreams, PS4 video game PlayStation 4 Basic", console));
  EXPECT_TRUE(IsOfType("Sony PlayStation 4 Slim 1 TB", console));
}

}  // namespace
}  // namespace emptor::services
