// The words of a shop stored with its index give the same dictionary without reading a record.
#include "retrieval/segment/word_state_codec.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "retrieval/words/shop_words.h"
#include "tests/retrieval/support/shop.h"
#include "tests/retrieval/support/small_dictionary.h"

namespace emptor::retrieval {
namespace {

/// A shop with accents, brands, categories, languages and a record that went away.
void Fill(ShopWords& words) {
  const std::vector<std::string> titles = {"Édition kettle", "steel kettle", "Wasserkocher Glas",
                                           "copper pan"};
  for (size_t i = 0; i < titles.size(); ++i) {
    auto product =
        testing::MakeProduct(testing::Numbered("p", i), titles[i], "Torvane", "Kitchen > Kettles");
    product.locale = i == 2 ? "de" : "en";
    product.popularity = static_cast<int64_t>(i);
    words.Put(product);
  }
  words.Remove(std::vector<std::string>{"p3"});
  words.WaitUntilCurrent();
}

std::vector<std::string> Proposed(const ShopWords& words, std::string_view typed) {
  std::vector<std::string> texts;
  for (const Completion& each : words.dictionary()->Complete(typed, 20)) {
    texts.push_back(each.text + " " + std::to_string(each.count));
  }
  return texts;
}

TEST(WordStateTest, ARestoredShopHasTheSameDictionaryAndAcceptsChanges) {
  const Analyzer analyzer = *Analyzer::Create();
  ShopWords words(analyzer);
  Fill(words);
  const auto decoded = DecodeWordState(EncodeWordState(*words.state()));
  ASSERT_TRUE(decoded);
  ShopWords restored(analyzer);
  restored.Restore(*decoded);
  ASSERT_TRUE(restored.WaitUntilCurrent());
  EXPECT_EQ(restored.stats().records, 3u);
  for (const char* typed : {"k", "torv", "édi", "was", "steel k", "copper"}) {
    EXPECT_EQ(Proposed(restored, typed), Proposed(words, typed)) << typed;
  }
  EXPECT_EQ(restored.dictionary()->vocabulary().main_language(), Language::kEnglish);
  for (ShopWords* each : {&words, &restored}) {
    each->Put(testing::Titled("p1", "glass teapot"));
    each->Put(testing::Titled("p9", "teapot"));
    each->Remove(std::vector<std::string>{"p0"});
    each->WaitUntilCurrent();
  }
  EXPECT_EQ(Proposed(restored, "teap"), Proposed(words, "teap"));
  EXPECT_EQ(Proposed(restored, "steel"), Proposed(words, "steel"));
}

TEST(WordStateTest, ThereIsNoStateWhileLoading) {
  ShopWords words(*Analyzer::Create());
  words.BeginLoading();
  EXPECT_FALSE(words.state());
  EXPECT_FALSE(words.WaitUntilCurrent(std::chrono::milliseconds(1)));
  words.EndLoading();
  EXPECT_TRUE(words.state());
  EXPECT_TRUE(words.WaitUntilCurrent());
}

TEST(WordStateTest, RefusesTruncatedBytesAndPositionsOutOfRange) {
  ShopWords words(*Analyzer::Create());
  Fill(words);
  const WordState state = *words.state();
  const std::string bytes = EncodeWordState(state);
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(DecodeWordState(bytes.substr(0, length))) << length;
  }
  EXPECT_FALSE(DecodeWordState(bytes + "x"));
  const auto refused = [&](auto&& change) {
    WordState wrong = state;
    change(wrong.records.at(0));
    return !DecodeWordState(EncodeWordState(wrong));
  };
  EXPECT_FALSE(refused([](WordRecord&) {}));
  EXPECT_TRUE(refused([](WordRecord& record) { record.words.push_back(1000); }));
  EXPECT_TRUE(refused([](WordRecord& record) { record.title_words = 100; }));
  EXPECT_TRUE(refused([](WordRecord& record) { record.brand = 7; }));
  EXPECT_TRUE(refused([](WordRecord& record) { record.categories = {7}; }));
  EXPECT_TRUE(refused([](WordRecord& record) { record.language = static_cast<Language>(9); }));
  EXPECT_TRUE(refused([](WordRecord& record) { record.id.clear(); }));
}

}  // namespace
}  // namespace emptor::retrieval
