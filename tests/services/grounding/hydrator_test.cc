// The hydrator: facts by reference, free text checked, the same output however the text is cut.
#include "services/grounding/hydrator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/services/grounding/test_sources.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;
using testing::KettleMonitorShipping;
using ::testing::Not;

HydratorOptions Options() {
  HydratorOptions options;
  options.render.sources = KettleMonitorShipping();
  options.render.now_unix = [] { return int64_t{1700000000}; };
  options.render.budget = catalog::Money{6000, "USD"};
  options.render.locale = "en";
  return options;
}

struct Result {
  std::string text;
  std::vector<Citation> citations;
  HydratorStats stats;
};

void Append(HydratedText piece, Result& result) {
  result.text += piece.text;
  for (Citation& citation : piece.citations) result.citations.push_back(std::move(citation));
}

Result Hydrate(std::string_view text, HydratorOptions options = Options()) {
  Hydrator hydrator(std::move(options));
  Result result;
  Append(hydrator.Push(text), result);
  Append(hydrator.Finish(), result);
  result.stats = hydrator.stats();
  return result;
}

struct Case {
  std::string_view name, model, shown;
};

TEST(HydratorTest, SaysThatNothingIsWithinTheBudgetWhenThatIsTrue) {
  HydratorOptions options = Options();
  options.render.budget = catalog::Money{4900, "USD"};
  EXPECT_EQ(Hydrate("I found nothing within [q:budget].", std::move(options)).text,
            "I found nothing within $49.");
}

class HydratorTableTest : public ::testing::TestWithParam<Case> {};

TEST_P(HydratorTableTest, ShowsOnlyWhatTheRecordsHold) {
  EXPECT_EQ(Hydrate(GetParam().model).text, GetParam().shown);
}

const Case kReferences[] = {
    {"Price", "It costs [1:price].", "It costs $49.99."},
    {"WasPrice", "It was [1:was_price].", "It was $59.99."},
    {"TitleLinksOnceThenBold", "The [1:title]. The [1:title].",
     "The [Torvane Glide Kettle K20](/p/K20). The **Torvane Glide Kettle K20**."},
    {"Brand", "By [1:brand].", "By Torvane."},
    {"RatingAndReviews", "Rated [1:rating] out of 5 from [1:reviews] reviews [1].",
     "Rated 4.5 out of 5 from 312 reviews [1]."},
    {"RatingOfFiveStars", "It has [1:rating] out of 5 stars.", "It has 4.5 out of 5 stars."},
    {"Availability", "It is [1:availability].", "It is in stock."},
    {"Link", "See [1:link].", "See [view product](/p/K20)."},
    {"Attribute", "It holds [1:attr.capacity].", "It holds 1.7 liters."},
    {"AttributeInAnyCase", "[1:attr.Dishwasher Safe]", "no"},
    {"Answer", "[3:answer]", "Standard shipping takes 3 to 5 business days. It is free over $50."},
    {"Budget", "Under [q:budget]: the kettle [1].", "Under $60: the kettle [1]."},
    {"FalselyNothingWithinBudget",
     "I found nothing within [q:budget]. The lowest price is the [1:title] at [1:price] [1].",
     "The lowest price is the [Torvane Glide Kettle K20](/p/K20) at $49.99 [1]."},
    {"FalselyNoneUnderBudget", "None is under [q:budget] today.", ""},
    {"NumberOfTheDescription", "It boils a full pot in 3 minutes [1].",
     "It boils a full pot in 3 minutes [1]."},
    {"CitationAfterTheFullStop", "It lasts 30 hours. [1]", "It lasts 30 hours. [1]"},
    {"TwoCitations", "Both boil [1][2].", "Both boil [1] [2]."},
    {"CitationList", "Both boil [1, 2].", "Both boil [1] [2]."},
    {"UnknownSource", "It boils [7].", "It boils."},
    {"UnknownSourceOfTwoDigits", "It boils [12].", "It boils."},
    {"UnknownField", "The kettle has [1:warranty] cover.", "The kettle\u2026"},
    {"AbsentFact", "The monitor is rated [2:rating].", "The monitor\u2026"},
    {"ReadingOnly", "[1:about]", ""},
    {"DollarsBehindPrice", "It costs [1:price] dollars.", "It costs $49.99."},
};
INSTANTIATE_TEST_SUITE_P(References, HydratorTableTest, ::testing::ValuesIn(kReferences),
                         [](const auto& each) { return std::string(each.param.name); });

const Case kMoney[] = {
    {"InjectedPrice", "Now only $49!", ""},
    {"PriceOfSubject", "It costs $49 [1].",
     "[Torvane Glide Kettle K20](/p/K20) (price: $49.99). [1]"},
    {"TrueButFree", "The kettle costs $49.99 today [1].", "The kettle (price: $49.99). [1]"},
    {"Words", "It is forty-nine dollars [1].",
     "[Torvane Glide Kettle K20](/p/K20) (price: $49.99). [1]"},
    {"Euros", "Yours for 49 euros.", "Yours\u2026"},
    {"FullWidthSign", "Only \uFF0449 here.", ""},
    {"SmallSign", "Only \uFE6949 here.", ""},
    {"FullWidthDigits", "The kettle is \uFF14\uFF19.", "The kettle\u2026"},
    {"ArabicDigits", "The kettle is \u0664\u0669 USD.", "The kettle\u2026"},
    {"MathDigits", "The kettle is \U0001D7D2\U0001D7D7.", "The kettle\u2026"},
    {"SpacedSign", "The kettle is $ 49.", "The kettle\u2026"},
    {"ZeroWidth", "The kettle is $\u200B49.", "The kettle\u2026"},
    {"ChineseYuan", "这款水壶49元。", "这款水壶\u2026"},
    {"ChineseNumerals", "这款水壶四十九元。", "这款水壶\u2026"},
    {"ChineseDollars", "售价为49美元。", ""},
    {"Discount", "Get 50% off.", ""},
    {"ShoppersAmount", "Is it $5?", ""},
    {"BareNumber", "The kettle goes for 49.", "The kettle goes\u2026"},
    {"JustANumber", "Just 49!", ""},
    {"NextSentenceStays", "Now only $49! The kettle boils water [1].",
     "The kettle boils water [1]."},
};
INSTANTIATE_TEST_SUITE_P(Money, HydratorTableTest, ::testing::ValuesIn(kMoney),
                         [](const auto& each) { return std::string(each.param.name); });

const Case kStockAndRating[] = {
    {"InStock", "The kettle is in stock.", "The kettle\u2026"},
    {"InStockTold", "The kettle is in stock [1].", "The kettle (availability: in stock). [1]"},
    {"OnlyThreeLeft", "Only 3 left!", ""},
    {"OnlyThreeLeftInWords", "Only three left!", ""},
    {"IsAvailable", "The kettle is available.", "The kettle\u2026"},
    {"AvailableInRed", "The kettle is available in black [1].",
     "The kettle is available in black [1]."},
    {"SoldOut", "Sorry, sold out.", "Sorry\u2026"},
    {"ChineseStock", "水壶有货。", "水壶\u2026"},
    {"Stars", "It has 5 stars [1].", "[Torvane Glide Kettle K20](/p/K20) (rating: 4.5). [1]"},
    {"StarSigns", "The kettle \u2605\u2605\u2605\u2605\u2605", "The kettle\u2026"},
    {"OutOfFive", "Rated 4.9 out of 5.", ""},
    {"SlashFive", "The kettle scores 4.9/5 [1].", "The kettle (rating: 4.5). [1]"},
    {"Reviews", "With 9000 reviews.", ""},
};
INSTANTIATE_TEST_SUITE_P(StockAndRating, HydratorTableTest, ::testing::ValuesIn(kStockAndRating),
                         [](const auto& each) { return std::string(each.param.name); });

const Case kNumbers[] = {
    {"RightValue", "The battery lasts 30 hours [1].", "The battery lasts 30 hours [1]."},
    {"WrongValue", "The battery lasts 40 hours [1].", "The battery\u2026"},
    {"OtherUnit", "The battery lasts 30 days [1].", "The battery\u2026"},
    {"OtherSource", "The battery lasts 30 hours [2].", "The battery\u2026"},
    {"SubjectBefore", "The [1:title] lasts 30 hours.",
     "The [Torvane Glide Kettle K20](/p/K20) lasts 30 hours."},
    {"SubjectBeforeIsNotSaved", "The [1:title] runs at 144 Hz while the [2:title] does not [2].",
     "The [Torvane Glide Kettle K20](/p/K20) runs\u2026"},
    {"Attached", "A 27-inch screen [2].", "A 27-inch screen [2]."},
    {"InchSign", "A 27\" screen [2].", "A 27\" screen [2]."},
    {"NumberWord", "The battery lasts thirty hours [1].", "The battery lasts thirty hours [1]."},
    {"WrongNumberWord", "The battery lasts forty hours [1].", "The battery\u2026"},
    {"Count", "It has 2 HDMI ports [1].", "It has 2 HDMI ports [1]."},
    {"WrongCount", "It has 4 HDMI ports [1].", ""},
    {"Range", "Shipping takes 3 to 5 business days [3].",
     "Shipping takes 3 to 5 business days [3]."},
    {"WrongRange", "Shipping takes 3 to 9 business days [3].", "Shipping takes\u2026"},
    {"ModelCode", "The K20 boils fast [1].", "The K20 boils fast [1]."},
    {"InventedCode", "The X900 boils fast [1].", ""},
    {"ListNumbers", "1. The kettle [1]\n2. The monitor [2]",
     "1. The kettle [1]\n2. The monitor [2]"},
    {"NoSource", "Water boils at 100 degrees.", "Water boils\u2026"},
    {"DecimalForms", "It holds 1.70 liters [1].", "It holds 1.70 liters [1]."},
    {"SmallWordsStay", "These two are the ones I would pick [1].",
     "These two are the ones I would pick [1]."},
};
INSTANTIATE_TEST_SUITE_P(Numbers, HydratorTableTest, ::testing::ValuesIn(kNumbers),
                         [](const auto& each) { return std::string(each.param.name); });

const Case kNamesAndMarkup[] = {
    {"KnownBrand", "I like the Torvane kettle [1].", "I like the Torvane kettle [1]."},
    {"InventedBrand", "I like the Zorblax kettle [1].", "I like\u2026"},
    {"InventedBrandFirst", "Zorblax Kettle is great.", ""},
    {"CommonNames", "You can use Bluetooth on Monday.", "You can use Bluetooth on Monday."},
    {"QuotedName", "The \"capacity\" of it is large [1].", "The \"capacity\" of it is large [1]."},
    {"QuotedNonsense", "The \"itemitem\" of it is large [1].", ""},
    {"EndlessWord", "The kettle xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
     "The kettle\u2026"},
    {"EndlessRepeat", "The kettle boils and and and and and.", "The kettle boils\u2026"},
    {"Html", "A <b>good</b> kettle [1].", "A good kettle [1]."},
    {"Script", "A kettle<script>alert(1)</script> [1].", "A kettlealert\u2026"},
    {"HtmlFromParts", "<<b>script>alert", "scriptalert"},
    {"MarkdownLink", "See [here](https://evil.example/x).", "See here\u2026"},
    {"Image", "![a](https://evil.example/?q=1)", ""},
    {"BareUrl", "Go to https://evil.example now. The kettle boils [1].",
     "Go\u2026 The kettle boils [1]."},
    {"Domain", "You can visit evil.com today.", "You can visit\u2026"},
    {"Script scheme", "Try javascript:alert(1) now.", "Try\u2026"},
    {"Email", "Write to a@evil.com now.", "Write\u2026"},
    {"ReferenceLink", "[a][1]\n[1]: https://evil.example", "a [1]"},
    {"Headings", "# Kettles\n**Good** `code`", "Kettles\nGood code"},
    {"ChatMarker", "The kettle <|im_start|>system boils [1].", "The kettle system boils [1]."},
    {"BidiOverride", "The \u202Ekettle\u202C boils [1].", "The kettle boils [1]."},
};
INSTANTIATE_TEST_SUITE_P(NamesAndMarkup, HydratorTableTest, ::testing::ValuesIn(kNamesAndMarkup),
                         [](const auto& each) {
                           std::string name(each.param.name);
                           std::erase(name, ' ');
                           return name;
                         });

const Case kBroken[] = {
    {"NeverClosed", "[1:price", ""},
    {"NeverClosedThenText", "It is [1:price and more.", "It is and more."},
    {"Nested", "[[1:price]]", "$49.99"},
    {"CutByAnother", "[1:pri[1:price]", "$49.99"},
    {"Empty", "[]", ""},
    {"Blank", "[ 1 ]", ""},
    {"HugeNumber", "[99999999999999999999:price]", ""},
    {"OverLines", "[1:\nprice]", "price"},
};
INSTANTIATE_TEST_SUITE_P(Broken, HydratorTableTest, ::testing::ValuesIn(kBroken),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(HydratorTest, ReadsThePriceWhenItIsPassedOn) {
  catalog::Product live = testing::Kettle();
  HydratorOptions options = Options();
  options.render.lookup = [&](const std::string&) { return std::optional(live); };
  Hydrator hydrator(std::move(options));
  std::string text = hydrator.Push("It costs [1:price] now. ").text;
  live.sale_price = catalog::Money{4599, "USD"};
  text += hydrator.Push("Really [1:price]").text;
  text += hydrator.Finish().text;
  EXPECT_EQ(text, "It costs $49.99 now. Really $45.99");
}

TEST(HydratorTest, SaysNothingOfAProductThatIsGone) {
  HydratorOptions options = Options();
  options.render.lookup = [](const std::string&) { return std::optional<catalog::Product>(); };
  const Result result = Hydrate("The [1:title] costs [1:price] [1].", std::move(options));
  EXPECT_THAT(result.text, Not(HasSubstr("49")));
  EXPECT_THAT(result.text, Not(HasSubstr("Torvane")));
}

TEST(HydratorTest, WritesMoneyForTheLocale) {
  HydratorOptions options = Options();
  options.render.locale = "zh-CN";
  EXPECT_EQ(Hydrate("价格是 [1:price]，[1:availability]。", std::move(options)).text,
            "价格是 US$49.99，有货。");
}

TEST(HydratorTest, CitesWithTheWordsOfTheRecord) {
  const Result result = Hydrate("The [1:title] costs [1:price] and holds [1:attr.capacity] [1].");
  ASSERT_EQ(result.citations.size(), 1u);
  EXPECT_EQ(result.citations[0].n, 1);
  EXPECT_EQ(result.citations[0].product_id, "K20");
  EXPECT_EQ(result.citations[0].passage_id, "K20#price");
  EXPECT_EQ(result.citations[0].quote, "price: $49.99; capacity: 1.7 liters");
}

TEST(HydratorTest, CitesAFactThatTheModelDidNotCite) {
  const Result result = Hydrate("It costs [1:price].");
  ASSERT_EQ(result.citations.size(), 1u);
  EXPECT_EQ(result.citations[0].n, 1);
}

TEST(HydratorTest, CitesADocumentWithoutAProduct) {
  const Result result = Hydrate("[3:answer] [3]");
  ASSERT_EQ(result.citations.size(), 1u);
  EXPECT_EQ(result.citations[0].product_id, "");
  EXPECT_EQ(result.citations[0].passage_id, "faq-shipping#answer");
}

TEST(HydratorTest, ChecksNamesWhereItKnowsTheirSpelling) {
  // German nouns begin with a capital: there a capital is no sign of a name.
  for (const std::string locale : {"", "en", "en-GB", "zh-CN", "de-DE"}) {
    HydratorOptions options = Options();
    options.render.locale = locale;
    const std::string text = Hydrate("It boils like a Zorblax [1].", std::move(options)).text;
    EXPECT_EQ(text.find("Zorblax") != std::string::npos, locale == "de-DE") << locale << text;
  }
}

TEST(HydratorTest, KnowsAHyphenatedNameByBothParts) {
  EXPECT_EQ(Hydrate("It is the Torvane-Glide [1].").text, "It is the Torvane-Glide [1].");
  EXPECT_THAT(Hydrate("It is the Torvane-Xlide [1].").text, Not(HasSubstr("Xlide")));
  EXPECT_THAT(Hydrate("It is the Xorvane-Glide [1].").text, Not(HasSubstr("Xorvane")));
}

TEST(HydratorTest, ANumberBelongsToTheSubjectOfTheSentenceBefore) {
  EXPECT_EQ(Hydrate("The monitor is wide [2]. It has 27 inches.").text,
            "The monitor is wide [2]. It has 27 inches.");
  EXPECT_THAT(Hydrate("The kettle is handy [1]. It has 27 inches.").text, Not(HasSubstr("27")));
  EXPECT_THAT(Hydrate("The monitor is wide [2]. The kettle has 27 inches [1].").text,
              Not(HasSubstr("27")));
}

TEST(HydratorTest, ADroppedSentenceIsAboutItsFirstProduct) {
  const std::string text = Hydrate("It is forty-nine dollars, [1:brand] or [2:brand].").text;
  EXPECT_THAT(text, HasSubstr("/p/K20"));
  EXPECT_THAT(text, Not(HasSubstr("/p/mon-27")));
}

TEST(HydratorTest, FindsTheOnlyProductWithinTheBudget) {
  HydratorOptions options = Options();
  options.render.sources = {Source{testing::Monitor()}, Source{testing::Kettle()}};
  EXPECT_EQ(Hydrate("None is under [q:budget] today.", std::move(options)).text, "");
}

TEST(HydratorTest, AReferenceInAReferenceIsDroppedAndCounted) {
  const Result result = Hydrate("It costs [1:pri[1:price].");
  EXPECT_EQ(result.stats.by_rule[static_cast<size_t>(DropRule::kReference)], 1);
  EXPECT_EQ(result.stats.dropped, 1);
}

TEST(HydratorTest, CountsEveryDecision) {
  const Result result =
      Hydrate("Only $9! Only 3 left! Rated 5 stars! The X900 [1]. [9] [1:price].");
  EXPECT_EQ(result.stats.by_rule[static_cast<size_t>(DropRule::kMoney)], 1);
  EXPECT_EQ(result.stats.by_rule[static_cast<size_t>(DropRule::kStock)], 1);
  EXPECT_EQ(result.stats.by_rule[static_cast<size_t>(DropRule::kRating)], 1);
  EXPECT_EQ(result.stats.by_rule[static_cast<size_t>(DropRule::kNumber)], 1);
  EXPECT_EQ(result.stats.by_rule[static_cast<size_t>(DropRule::kReference)], 1);
  EXPECT_EQ(result.stats.dropped, 5);
  EXPECT_EQ(result.stats.references, 1);
}

TEST(HydratorTest, DeniesANameFromTheQuestion) {
  HydratorOptions options = Options();
  options.question = "Do you have the Zorblax kettle?";
  EXPECT_EQ(Hydrate("Sorry, we do not have a Zorblax kettle.", std::move(options)).text,
            "Sorry, we do not have a Zorblax kettle.");
}

TEST(HydratorTest, HoldsBackOnlyTheSpanInDoubt) {
  Hydrator hydrator(Options());
  EXPECT_EQ(hydrator.Push("Kettles boil water well").text, "Kettles boil water");
  EXPECT_EQ(hydrator.Push(" [1:pr").text, " well");
  EXPECT_EQ(hydrator.Push("ice]").text, " $49.99");
}

TEST(HydratorTest, TakesTenThousandBracketsInItsStride) {
  const Result result = Hydrate(std::string(10000, '['));
  EXPECT_EQ(result.text, "");
  EXPECT_LE(result.stats.dropped, 10000);
  EXPECT_EQ(Hydrate(std::string(10000, ']')).text, "");
  EXPECT_EQ(Hydrate(std::string(10000, '<')).text, "");
  Hydrate(std::string(100000, '1'));
  Hydrate(std::string(100000, 'a'));
}

// ---- Properties

std::string RandomText(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {
      "[",          "]",        "[1",        ":price]",   "[1:price]",  "[2:title]",  "[3:answer]",
      "[1]",        "[9]",      "[1:attr.",  "capacity]", "[q:budget]", "$",          "\uFF04",
      "49",         "30 hours", "27",        "-inch",     " ",          " ",          " ",
      ".",          ". ",       "!",         "\n",        "- ",         "1. ",        "only ",
      "in ",        "stock",    "left",      "rated ",    "stars",      "The ",       "Torvane",
      "Zorblax",    "kettle",   "boils",     "<b>",       "<script",    ">",          "https://",
      "evil.com",   "(",        ")",         "**",        "`",          "元",         "有",
      "货",         "四",       "十",        "\u0664",    "\u200B",     "\U0001F600", ",",
      "forty-nine", " dollars", "available", "out of 5",  "%",          "off",        "@",
      "/",          "-",        "'s",        "\xF0\x9F",  "\x80"};
  std::uniform_int_distribution<size_t> pick(0, kPieces.size() - 1);
  std::uniform_int_distribution<int> length(1, 60);
  std::string text;
  for (int i = length(random); i > 0; --i) text += kPieces[pick(random)];
  return text;
}

TEST(HydratorPropertyTest, CutsOfTheTextMakeNoDifference) {
  std::mt19937 random(20261120);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = RandomText(random);
    const Result whole = Hydrate(text);
    Hydrator hydrator(Options());
    Result pieces;
    std::uniform_int_distribution<size_t> size(1, 7);
    for (size_t at = 0; at < text.size();) {
      const size_t n = std::min(size(random), text.size() - at);
      Append(hydrator.Push(std::string_view(text).substr(at, n)), pieces);
      at += n;
    }
    Append(hydrator.Finish(), pieces);
    ASSERT_EQ(pieces.text, whole.text) << "round " << round << ": " << text;
    ASSERT_EQ(pieces.citations.size(), whole.citations.size()) << text;
    ASSERT_EQ(hydrator.stats().dropped, whole.stats.dropped) << text;
  }
}

/// What may stand in an answer without a reference behind it holds no money, link or markup.
TEST(HydratorPropertyTest, NothingForbiddenLeavesWhateverTheModelWrites) {
  std::mt19937 random(42);
  HydratorOptions plain = Options();
  for (int round = 0; round < 1500; ++round) {
    std::string text = Hydrate(RandomText(random)).text;
    for (const std::string_view fact :
         {"$49.99", "$59.99", "$60", "$289.00", "[1]", "[2]", "[3]", "](/p/K20)", "](/p/mon-27)",
          "[Torvane Glide Kettle K20", "[Velsar View 27-inch Monitor V27Q",
          "Standard shipping takes 3 to 5 business days. It is free over $50."}) {
      for (size_t at; (at = text.find(fact)) != std::string::npos;) text.erase(at, fact.size());
    }
    for (const std::string_view forbidden :
         {"$", "\uFF04", "[", "]", "<", ">", "://", "`", "\u200B"}) {
      ASSERT_EQ(text.find(forbidden), std::string::npos) << forbidden << " in: " << text;
    }
  }
}

}  // namespace
}  // namespace emptor::services
