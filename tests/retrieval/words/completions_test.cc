// Autocomplete, against a plain search through all entries.
#include "retrieval/words/completions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/retrieval/support/small_dictionary.h"

namespace emptor::retrieval {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> Texts(const std::vector<Completion>& completions) {
  std::vector<std::string> texts;
  for (const Completion& completion : completions) texts.push_back(completion.text);
  return texts;
}

Completions Three() {
  return Completions({{.text = "Headphones", .kind = CompletionKind::kCategory, .popularity = 3},
                      {.text = "headset", .popularity = 5},
                      {.text = "hdmi cable", .popularity = 4}});
}

TEST(CompletionsTest, OrdersByPopularity) {
  EXPECT_THAT(Texts(Three().Complete("h", 10)), ElementsAre("headset", "hdmi cable", "Headphones"));
  EXPECT_THAT(Texts(Three().Complete("HEAD", 10)), ElementsAre("headset", "Headphones"));
  EXPECT_THAT(Texts(Three().Complete("h", 1)), ElementsAre("headset"));
  EXPECT_THAT(Texts(Three().Complete("hdmi ", 10)), ElementsAre("hdmi cable"));
}

TEST(CompletionsTest, ToleratesOneEditFromFourLettersOn) {
  for (const char* typed : {"haedph", "headpj", "heaadph", "hedph", "geadph"}) {
    EXPECT_THAT(Texts(Three().Complete(typed, 10)), Contains("Headphones")) << typed;
  }
  EXPECT_THAT(Texts(Three().Complete("hex", 10)), IsEmpty());
  EXPECT_THAT(Texts(Three().Complete("hxxdph", 10)), IsEmpty());
}

TEST(CompletionsTest, ToleratesNoEditInAWordThatHasJustBegun) {
  const Completions completions({{.text = "sony headphones"}, {.text = "sony speakers"}});
  EXPECT_THAT(Texts(completions.Complete("sony x", 10)), IsEmpty());
  EXPECT_THAT(Texts(completions.Complete("sony hxa", 10)), IsEmpty());
  EXPECT_THAT(Texts(completions.Complete("snoy h", 10)), ElementsAre("sony headphones"));
  EXPECT_THAT(Texts(completions.Complete("sony haed", 10)), ElementsAre("sony headphones"));
}

TEST(CompletionsTest, HasNothingForEmptyText) {
  for (const char* typed : {"", " ", "...", "\xff\xfe"}) {
    EXPECT_THAT(Three().Complete(typed, 10), IsEmpty()) << typed;
  }
  EXPECT_THAT(Three().Complete(std::string(5000, 'h'), 10), IsEmpty());
  EXPECT_THAT(Three().Complete("h", 0), IsEmpty());
  EXPECT_THAT(Completions().Complete("head", 10), IsEmpty());
}

TEST(CompletionsTest, ProposesABrandThatIsAlsoAPhraseOnce) {
  const Completions completions(
      {{.text = "sony", .popularity = 9},
       {.text = "Sony", .kind = CompletionKind::kBrand, .popularity = 2}});
  const auto found = completions.Complete("so", 10);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, CompletionKind::kBrand);
  EXPECT_EQ(found[0].popularity, 9);
}

bool BeginsWithOneEditOf(const std::string& key, const std::string& typed) {
  const std::string letters = "abc ";
  std::vector<std::string> forms = {typed};
  for (size_t i = 0; i <= typed.size(); ++i) {
    const std::string head = typed.substr(0, i);
    for (const char c : letters) {
      if (i < typed.size()) forms.push_back(head + c + typed.substr(i));
      if (i < typed.size()) forms.push_back(head + c + typed.substr(i + 1));
    }
    if (i + 1 < typed.size()) {
      forms.push_back(head + typed.substr(i + 1));
      forms.push_back(head + typed[i + 1] + typed[i] + typed.substr(i + 2));
    }
  }
  return std::any_of(forms.begin(), forms.end(),
                     [&](const std::string& form) { return key.starts_with(form); });
}

TEST(CompletionsTest, AgreesWithTryingEveryEntry) {
  std::mt19937 random(5);
  const auto word = [&random](size_t shortest, size_t longest) {
    std::string text(shortest + random() % (longest - shortest + 1), 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    return text;
  };
  std::vector<Completion> entries;
  for (int i = 0; i < 400; ++i) {
    entries.push_back({.text = word(1, 8), .popularity = static_cast<float>(random() % 50)});
  }
  const Completions completions(entries);
  for (int round = 0; round < 400; ++round) {
    const std::string typed = word(1, 6);
    std::vector<std::string> exact, near;
    for (const Completion& entry : entries) {
      if (entry.text.starts_with(typed)) {
        exact.push_back(entry.text);
      } else if (typed.size() >= Completions::kTolerantFrom &&
                 BeginsWithOneEditOf(entry.text, typed)) {
        near.push_back(entry.text);
      }
    }
    for (auto* texts : {&exact, &near}) {
      std::sort(texts->begin(), texts->end());
      texts->erase(std::unique(texts->begin(), texts->end()), texts->end());
    }
    std::vector<std::string> found = Texts(completions.Complete(typed, 1000));
    ASSERT_EQ(found.size(), exact.size() + near.size()) << typed;
    const auto middle = found.begin() + static_cast<std::ptrdiff_t>(exact.size());
    std::sort(found.begin(), middle);
    std::sort(middle, found.end());
    EXPECT_TRUE(std::equal(exact.begin(), exact.end(), found.begin())) << typed;
    EXPECT_TRUE(std::equal(near.begin(), near.end(), middle)) << typed;
  }
}

TEST(CompletionsTest, ADictionaryProposesPhrasesOfShortBrandsAndNoFragmentsOfDecimals) {
  ShopWords words(*Analyzer::Create());
  for (int i = 0; i < 4; ++i) {
    catalog::Product product =
        testing::Titled("h" + std::to_string(i), "HP LaserJet monitor 48.3 cm USB 2.0 version");
    product.brand = "HP";
    words.Put(product);
  }
  words.WaitUntilCurrent();
  const auto dictionary = words.dictionary();
  EXPECT_THAT(Texts(dictionary->Complete("hp la", 5)), Contains("hp laserjet"));
  EXPECT_THAT(Texts(dictionary->Complete("monitor", 9)), Not(Contains("monitor 48 3")));
  EXPECT_THAT(Texts(dictionary->Complete("usb", 9)), Not(Contains("usb 2 0")));
}

TEST(CompletionsTest, ADictionaryProposesBrandsCategoriesPhrasesTitlesAndFrequentQueries) {
  ShopWords words(*Analyzer::Create());
  for (int i = 0; i < 3; ++i) {
    catalog::Product product =
        testing::Titled("s" + std::to_string(i), "WH-1000 Wireless Café Headphones");
    product.brand = "Sony";
    product.categories = {"Audio > Headphones"};
    words.Put(product);
  }
  words.Put(testing::Titled("k", "Kettle 1,7 l"));
  words.WaitUntilCurrent();
  const auto dictionary = words.dictionary();
  const auto brand = dictionary->Complete("son", 5);
  ASSERT_FALSE(brand.empty());
  EXPECT_EQ(brand[0].text, "Sony");
  EXPECT_EQ(brand[0].kind, CompletionKind::kBrand);
  EXPECT_EQ(brand[0].count, 3u);
  EXPECT_EQ(dictionary->Complete("headpho", 5).at(0).kind, CompletionKind::kCategory);
  EXPECT_THAT(Texts(dictionary->Complete("cafe", 5)), Contains("café headphones"));
  const auto title = dictionary->Complete("kettle 1", 5);
  ASSERT_EQ(title.size(), 1u);
  EXPECT_EQ(title[0].kind, CompletionKind::kProduct);
  EXPECT_EQ(title[0].id, "k");
  // The words before the last one need not be next to it.
  EXPECT_THAT(Texts(dictionary->Complete("sony head", 5)), ElementsAre("sony headphones"));
  EXPECT_THAT(Texts(dictionary->Complete("kettle head", 5)), Not(Contains("kettle headphones")));

  for (int i = 0; i < 5; ++i) {
    words.CountQuery("Wireless Kettle");
    words.CountQuery("call me at 555 1234");  // not of this catalog's words: forgotten
  }
  words.Remove(std::vector<std::string>{"s0"});
  words.WaitUntilCurrent();
  const auto asked = words.dictionary()->Complete("wireless k", 5);
  ASSERT_FALSE(asked.empty());
  EXPECT_EQ(asked[0].kind, CompletionKind::kQuery);
  EXPECT_THAT(words.dictionary()->Complete("call", 5), IsEmpty());
  EXPECT_EQ(words.dictionary()->Complete("son", 5).at(0).count, 2u);
}

}  // namespace
}  // namespace emptor::retrieval
