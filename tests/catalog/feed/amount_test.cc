// Amounts, counts, ratings: what is read, and what is refused rather than guessed.
#include "catalog/feed/amount.h"

#include <gtest/gtest.h>

#include "catalog/money.h"

namespace emptor::catalog {
namespace {

struct AmountCase {
  const char* text;
  const char* currency;  // the default
  DecimalMark mark;
  const char* want;  // "15.00 USD"; "" refused
};

class AmountTest : public ::testing::TestWithParam<AmountCase> {};

TEST_P(AmountTest, IsReadExactlyOrRefused) {
  const auto& [text, currency, mark, want] = GetParam();
  const auto money = ParseAmount(text, {currency, mark});
  const std::string found = money.ok() ? FormatDecimal(*money) + " " + money->currency : "";
  EXPECT_EQ(found, want) << text << ": " << money.status().ToString();
}

constexpr auto kAny = DecimalMark::kUnknown;
constexpr auto kPoint = DecimalMark::kPoint;
constexpr auto kComma = DecimalMark::kComma;

INSTANTIATE_TEST_SUITE_P(
    Table, AmountTest,
    ::testing::Values(
        AmountCase{"15.00 USD", "", kAny, "15.00 USD"}, AmountCase{"USD 15", "", kAny, "15.00 USD"},
        AmountCase{"usd15", "", kAny, "15.00 USD"}, AmountCase{" 15USD ", "", kAny, "15.00 USD"},
        AmountCase{"$2,030", "USD", kAny, "2030.00 USD"},
        AmountCase{"$2,030", "CAD", kAny, "2030.00 CAD"}, AmountCase{"$2,030", "", kAny, ""},
        AmountCase{"$2,030", "EUR", kAny, ""}, AmountCase{"$15.00 CAD", "", kAny, "15.00 CAD"},
        AmountCase{"US$15", "EUR", kAny, "15.00 USD"},
        AmountCase{"₹1,13,836.86", "", kAny, "113836.86 INR"},
        AmountCase{"1.234,56 €", "", kAny, "1234.56 EUR"},
        AmountCase{"1 234,50 kr", "SEK", kAny, "1234.50 SEK"},
        AmountCase{"1\xC2\xA0\x32\x33\x34,5", "EUR", kAny, "1234.50 EUR"},
        AmountCase{"1'234.50 CHF", "", kAny, "1234.50 CHF"},
        AmountCase{"12,-", "EUR", kAny, "12.00 EUR"}, AmountCase{"12:-", "SEK", kAny, "12.00 SEK"},
        AmountCase{"12,50", "EUR", kAny, "12.50 EUR"}, AmountCase{"12,50", "", kAny, ""},
        AmountCase{"2999.0", "SEK", kAny, "2999.00 SEK"},
        AmountCase{"15.0000 USD", "", kAny, "15.00 USD"}, AmountCase{"15.001 USD", "", kPoint, ""},
        AmountCase{"1234.567 USD", "", kAny, ""},
        // Groups are of three, or Indian: of two, the last one of three.
        AmountCase{"12,34,567 INR", "", kAny, "1234567.00 INR"},
        AmountCase{"123,45,678 INR", "", kAny, ""}, AmountCase{"1,23,456,789 INR", "", kAny, ""},
        AmountCase{"1234,567,890 USD", "", kAny, ""},
        AmountCase{"123,456,789 USD", "", kAny, "123456789.00 USD"},
        AmountCase{"12,345,67 USD", "", kAny, ""}, AmountCase{"1,,234,567 USD", "", kAny, ""},
        AmountCase{"\t15 AUD\n", "", kAny, "15.00 AUD"},
        // One mark before three digits.
        AmountCase{"123.456 EUR", "", kComma, "123456.00 EUR"},
        AmountCase{"1234.567 EUR", "", kComma, ""}, AmountCase{"1.500 USD", "", kAny, ""},
        AmountCase{"1.500 EUR", "", kComma, "1500.00 EUR"},
        AmountCase{"1.500 USD", "", kPoint, "1.50 USD"},
        AmountCase{"1,500 EUR", "", kComma, "1.50 EUR"},
        AmountCase{"1.500 KWD", "", kAny, "1.500 KWD"}, AmountCase{"1,500 KWD", "", kAny, ""},
        AmountCase{"1.500 JPY", "", kAny, "1500 JPY"}, AmountCase{"¥1200", "JPY", kAny, "1200 JPY"},
        AmountCase{"0.500 USD", "", kAny, "0.50 USD"},
        AmountCase{"1.234.567 EUR", "", kAny, "1234567.00 EUR"},
        AmountCase{"1,234,567.8 USD", "", kAny, "1234567.80 USD"},
        // Hostile.
        AmountCase{"", "USD", kAny, ""}, AmountCase{"Get", "USD", kAny, ""},
        AmountCase{"-1", "USD", kAny, ""}, AmountCase{"1e308", "USD", kAny, ""},
        AmountCase{"15 XQQ", "", kAny, ""}, AmountCase{"15 XXX", "", kAny, ""},
        AmountCase{"15 USD EUR", "", kAny, ""}, AmountCase{"USD 15 EUR", "", kAny, ""},
        AmountCase{"12,3456", "USD", kAny, ""}, AmountCase{"1,23,4", "USD", kAny, ""},
        AmountCase{"10 - 20", "USD", kAny, ""}, AmountCase{"10 20", "USD", kAny, ""},
        AmountCase{"NaN", "USD", kAny, ""}, AmountCase{"99999999999999999999", "USD", kAny, ""},
        AmountCase{".50", "USD", kAny, ""}, AmountCase{"1..5", "USD", kAny, ""},
        AmountCase{"\xFF", "USD", kAny, ""}));

TEST(AmountTextTest, ReadsCountsAndRatings) {
  EXPECT_EQ(ParseCount("33,641"), 33641);
  EXPECT_EQ(ParseCount("1 024"), 1024);
  EXPECT_EQ(ParseCount("1,13,836"), 113836);
  EXPECT_EQ(ParseCount("7"), 7);
  EXPECT_EQ(ParseCount("1000000000000000"), 1'000'000'000'000'000);
  EXPECT_EQ(ParseCount("1000000000000001"), std::nullopt);
  EXPECT_EQ(ParseCount("12,,345"), std::nullopt);
  for (const char* text : {"", "FREE", "-1", "1.5", "1,2", "nan", "99999999999999999"}) {
    EXPECT_EQ(ParseCount(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseRatingValue("4.5"), 4.5);
  EXPECT_EQ(ParseRatingValue("4,5"), 4.5);
  EXPECT_EQ(ParseRatingValue("87", 100), 4.35);
  EXPECT_EQ(ParseRatingValue("5"), 5.0);
  EXPECT_EQ(ParseRatingValue("4.1234567890"), 4.123456789);  // twelve characters
  EXPECT_EQ(ParseRatingValue("4.12345678901"), std::nullopt);
  for (const char* text : {"", "Get", "₹99", "5.1", "-1", "1e0", "4.", "4.5.1", "nan"}) {
    EXPECT_EQ(ParseRatingValue(text), std::nullopt) << text;
  }
}

TEST(AmountTextTest, KnowsTheDecimalMarkOfLocales) {
  EXPECT_EQ(DecimalMarkOf("de"), DecimalMark::kComma);
  EXPECT_EQ(DecimalMarkOf("sv-SE"), DecimalMark::kComma);
  EXPECT_EQ(DecimalMarkOf("en-IN"), DecimalMark::kPoint);
  EXPECT_EQ(DecimalMarkOf(""), DecimalMark::kUnknown);
  EXPECT_EQ(DecimalMarkOf("xq-notalanguage"), DecimalMark::kUnknown);
}

}  // namespace
}  // namespace emptor::catalog
