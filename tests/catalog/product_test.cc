// Prices that are payable, names of enumerators, ids, money and times.
#include "catalog/product.h"

#include <gtest/gtest.h>

#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/money.h"

namespace emptor::catalog {
namespace {

struct SaleCase {
  const char* name;
  std::optional<int64_t> sale_amount;
  std::optional<TimeRange> range;
  int64_t now;
  int64_t payable;
  bool is_sale;
};

class PayablePriceTest : public ::testing::TestWithParam<SaleCase> {};

TEST_P(PayablePriceTest, IsTheSalePriceOnlyWhileTheSaleHolds) {
  const SaleCase& row = GetParam();
  Product product;
  product.price = Money{1000, "USD"};
  if (row.sale_amount) product.sale_price = Money{*row.sale_amount, "USD"};
  product.sale_price_effective = row.range;
  const PayablePrice price = ComputePayablePrice(product, row.now);
  EXPECT_EQ(price.price, (Money{row.payable, "USD"}));
  EXPECT_EQ(price.was_price.has_value(), row.is_sale);
  if (row.is_sale) {
    EXPECT_EQ(*price.was_price, (Money{1000, "USD"}));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, PayablePriceTest,
    ::testing::Values(SaleCase{"NoSale", {}, {}, 50, 1000, false},
                      SaleCase{"AlwaysOnSale", 800, {}, 50, 800, true},
                      SaleCase{"BeforeStart", 800, TimeRange{100, 200}, 99, 1000, false},
                      SaleCase{"AtStart", 800, TimeRange{100, 200}, 100, 800, true},
                      SaleCase{"LastSecond", 800, TimeRange{100, 200}, 199, 800, true},
                      SaleCase{"AtEnd", 800, TimeRange{100, 200}, 200, 1000, false},
                      SaleCase{"OpenStart", 800, TimeRange{{}, 200}, -5, 800, true},
                      SaleCase{"OpenEnd", 800, TimeRange{100, {}}, 1'000'000, 800, true},
                      SaleCase{"NotCheaper", 1000, {}, 50, 1000, false},
                      SaleCase{"DearerSale", 1200, {}, 50, 1000, false}),
    [](const auto& test) { return test.param.name; });

TEST(PayablePriceTest, WithoutAPriceThereIsNone) {
  EXPECT_EQ(ComputePayablePrice(Product(), 0).price, std::nullopt);
}

struct MarketCase {
  const char* name;
  const char* region;
  const char* currency;
  const char* price;
  const char* was_price;
};

std::string Show(const std::optional<Money>& money) {
  return money ? std::to_string(money->amount) + " " + money->currency : "";
}

void AddPrice(const char* region, const Money& price, Product& product) {
  product.regional_prices.emplace_back();
  product.regional_prices.back().region = region;
  product.regional_prices.back().price = price;
}

void AddSale(int64_t amount, const std::optional<TimeRange>& dates, Product& product) {
  RegionalPrice& price = product.regional_prices.back();
  price.sale_price = Money{amount, price.price.currency};
  price.sale_price_effective = dates;
}

class MarketPriceTest : public ::testing::TestWithParam<MarketCase> {};

TEST_P(MarketPriceTest, ChoosesAPriceOfTheRecordAndConvertsNone) {
  Product product;
  product.price = Money{1000, "USD"};
  AddPrice("DE", {1100, "EUR"}, product);
  AddSale(900, TimeRange{{}, 100}, product);
  AddPrice("", {1200, "EUR"}, product);
  AddPrice("CH", {1300, "CHF"}, product);
  AddPrice("", {700, "GBP"}, product);
  AddSale(600, std::nullopt, product);
  const Market market{GetParam().region, GetParam().currency};
  const PayablePrice shown = ComputePayablePrice(product, 50, market);
  EXPECT_EQ(Show(shown.price), GetParam().price);
  EXPECT_EQ(Show(shown.was_price), GetParam().was_price);
}

INSTANTIATE_TEST_SUITE_P(
    Table, MarketPriceTest,
    ::testing::Values(MarketCase{"Open", "", "", "1000 USD", ""},
                      MarketCase{"Region", "DE", "", "900 EUR", "1100 EUR"},
                      MarketCase{"RegionAndCurrency", "DE", "EUR", "900 EUR", "1100 EUR"},
                      MarketCase{"CurrencyEverywhere", "", "EUR", "1200 EUR", ""},
                      MarketCase{"CurrencyForOtherRegion", "FR", "EUR", "1200 EUR", ""},
                      MarketCase{"CurrencyBeforeRegion", "CH", "EUR", "1200 EUR", ""},
                      MarketCase{"SaleEverywhere", "FR", "GBP", "600 GBP", "700 GBP"},
                      MarketCase{"RegionWithoutTheCurrency", "CH", "JPY", "1300 CHF", ""},
                      MarketCase{"RegionBeforeOwnPrice", "CH", "USD", "1300 CHF", ""},
                      MarketCase{"OwnCurrency", "FR", "USD", "1000 USD", ""},
                      MarketCase{"UnknownCurrencyIsNotConverted", "FR", "JPY", "1000 USD", ""},
                      MarketCase{"UnknownRegion", "FR", "", "1000 USD", ""}),
    [](const auto& test) { return test.param.name; });

TEST(MarketTest, ARegionalSaleEnds) {
  Product product;
  AddPrice("DE", {1100, "EUR"}, product);
  AddSale(900, TimeRange{{}, 100}, product);
  EXPECT_EQ(Show(ComputePayablePrice(product, 99, {"DE", ""}).price), "900 EUR");
  EXPECT_EQ(Show(ComputePayablePrice(product, 100, {"DE", ""}).price), "1100 EUR");
  EXPECT_EQ(ComputePayablePrice(product, 100, {"DE", ""}).was_price, std::nullopt);
  EXPECT_EQ(ComputePayablePrice(product, 50, {"FR", "EUR"}).price, std::nullopt);
}

TEST(MarketTest, LocalesNameTheirRegion) {
  EXPECT_EQ(RegionOfLocale("de-AT"), "AT");
  EXPECT_EQ(RegionOfLocale("zh-Hans-cn"), "CN");
  EXPECT_EQ(RegionOfLocale("en-US-x-de"), "US");
  for (const char* locale : {"", "de", "zh-Hans", "es-419", "en-x-us", "-", "de-"}) {
    EXPECT_EQ(RegionOfLocale(locale), "") << locale;
  }
}

TEST(ProductTest, NamesReadBack) {
  for (int i = 0; i < 4; ++i) {
    const auto value = static_cast<Availability>(i);
    EXPECT_EQ(ParseAvailability(ToString(value)), value);
  }
  for (int i = 0; i < 3; ++i) {
    const auto value = static_cast<Condition>(i);
    EXPECT_EQ(ParseCondition(ToString(value)), value);
  }
  for (const Trust value : {Trust::kShop, Trust::kUntrusted}) {
    EXPECT_EQ(ParseTrust(ToString(value)), value);
  }
  EXPECT_EQ(ParseAvailability("in stock"), std::nullopt);
  EXPECT_EQ(ParseCondition(""), std::nullopt);
}

TEST(ProductTest, IdsAreShortPlainAndBeginWithALetterOrDigit) {
  for (const std::string& id : {std::string("a"), std::string("A-1._x"), std::string(64, '9')}) {
    EXPECT_TRUE(IsValidId(id)) << id;
  }
  for (const std::string& id : {std::string(), std::string(65, 'a'), std::string("-a"),
                                std::string("."), std::string("a/b"), std::string("a b"),
                                std::string("é"), std::string("a\0", 2), std::string("a\n")}) {
    EXPECT_FALSE(IsValidId(id)) << id;
  }
}

TEST(MoneyTest, DecimalsFollowTheCurrency) {
  EXPECT_EQ(FormatDecimal({4999, "USD"}), "49.99");
  EXPECT_EQ(FormatDecimal({5, "USD"}), "0.05");
  EXPECT_EQ(FormatDecimal({0, "EUR"}), "0.00");
  EXPECT_EQ(FormatDecimal({1200, "JPY"}), "1200");
  EXPECT_EQ(FormatDecimal({1234, "KWD"}), "1.234");
  EXPECT_EQ(FormatDecimal({-5, "KWD"}), "-0.005");
  EXPECT_EQ(FormatDecimal({INT64_MIN, "JPY"}), "-9223372036854775808");
}

TEST(MoneyTest, ParsedDecimalsFormatBack) {
  for (const char* currency : {"USD", "JPY", "KWD", "CLF"}) {
    for (int64_t amount : {0L, 1L, 9L, 10L, 99L, 100L, 4999L, 123456789L, kMaxAmount}) {
      const Money money{amount, currency};
      EXPECT_EQ(ParseDecimal(FormatDecimal(money), currency).value(), money);
    }
  }
  EXPECT_EQ(ParseDecimal("49", "USD")->amount, 4900);
  EXPECT_EQ(ParseDecimal("49.9", "USD")->amount, 4990);
}

TEST(MoneyTest, RefusesWhatIsNotAPlainDecimal) {
  for (const char* text : {"", ".", "1.", ".5", "-1", "+1", "1,50", "12.345", "1e3", "0x1", " 1",
                           "1 ", "NaN", "99999999999999999999", "$5", "1.2.3"}) {
    EXPECT_FALSE(ParseDecimal(text, "USD").ok()) << text;
  }
  EXPECT_FALSE(ParseDecimal("1.5", "JPY").ok());
  EXPECT_FALSE(ParseDecimal("1", "usd").ok());
}

TEST(TimestampTest, ReadsRfc3339) {
  EXPECT_EQ(ParseRfc3339("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseRfc3339("2026-11-20T12:00:00Z"), 1795176000);
  EXPECT_EQ(ParseRfc3339("2026-11-20t13:00:00.999+01:00"), 1795176000);
  EXPECT_EQ(ParseRfc3339("2026-11-20 04:30:00-07:30"), 1795176000);
  EXPECT_EQ(ParseRfc3339("2024-02-29T00:00:00Z"), 1709164800);
}

TEST(TimestampTest, RefusesOtherText) {
  for (const char* text :
       {"", "2026-11-20", "2026-11-20T12:00Z", "2026-11-20T12:00:00", "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-20T24:00:00Z",
        "2026-11-20T12:60:00Z", "2026-11-20T12:00:61Z", "2026-11-20T12:00:00.Z",
        "2026-11-20T12:00:00+24:00", "2026-11-20T12:00:00Zx", "26-11-20T12:00:00Z",
        "2026-11-20T12:00:00+0100", " 2026-11-20T12:00:00Z"}) {
    EXPECT_EQ(ParseRfc3339(text), std::nullopt) << text;
  }
}

TEST(TimestampTest, FormatsBack) {
  for (int64_t seconds : {int64_t{0}, int64_t{-1}, int64_t{1795176000}, int64_t{253402300799},
                          int64_t{-62167219200}}) {
    EXPECT_EQ(ParseRfc3339(FormatRfc3339(seconds)), seconds);
  }
}

TEST(Utf8Test, PrefixNeverCutsACodePoint) {
  const std::string text = "aé電😀";
  for (size_t size = 0; size <= text.size() + 1; ++size) {
    const std::string_view prefix = Utf8Prefix(text, size);
    EXPECT_LE(prefix.size(), size);
    EXPECT_TRUE(IsValidUtf8(prefix)) << size;
  }
  EXPECT_EQ(Utf8Prefix(text, 5), "aé");
}

TEST(Utf8Test, FindsControlCharacters) {
  EXPECT_EQ(FindControlCharacter("plain é 電", LineBreaks::kRefused), std::nullopt);
  EXPECT_EQ(FindControlCharacter("a\nb\t", LineBreaks::kAllowed), std::nullopt);
  EXPECT_EQ(FindControlCharacter("a\nb", LineBreaks::kRefused), 1u);
  for (const std::string& bad :
       {std::string("\0", 1), std::string("\x1b"), std::string("\x7f"), std::string("\u0085"),
        std::string("\u2028"), std::string("\u2029"), std::string("\uffff")}) {
    EXPECT_EQ(FindControlCharacter("x" + bad, LineBreaks::kAllowed), 1u);
  }
}

}  // namespace
}  // namespace emptor::catalog
