// Feeds that mean harm, or were broken on their way: each with what must come of it, row by row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedOptions;
using ::testing::HasSubstr;
using namespace std::string_literals;

struct HostileFeed {
  const char* name;
  std::string feed;
  std::vector<std::string> rows;  // what each row's description holds, in order
  std::string error;              // of the reading; empty: it is read to its end
};

class HostileFeedTest : public ::testing::TestWithParam<HostileFeed> {};

// Whole, byte by byte where it is short, and in odd pieces: always the same rows.
TEST_P(HostileFeedTest, EndsWithEachRowAccountedFor) {
  const HostileFeed& hostile = GetParam();
  const FeedOptions options{.currency = "EUR"};
  for (const size_t piece :
       {hostile.feed.size() + 1, size_t{hostile.feed.size() < 4096 ? 1u : 997u}}) {
    const FeedReport report = ReadFeed(hostile.feed, options, piece);
    EXPECT_EQ(FindBrokenPromise(report), "");
    std::vector<std::string> rows;
    for (const catalog::FeedRow& row : report.rows) rows.push_back(Describe(row));
    ASSERT_EQ(rows.size(), hostile.rows.size()) << ::testing::PrintToString(rows);
    for (size_t i = 0; i < rows.size(); ++i) EXPECT_THAT(rows[i], HasSubstr(hostile.rows[i]));
    const std::string error(report.status.message());
    EXPECT_THAT(error, HasSubstr(hostile.error));
    EXPECT_EQ(error.empty(), hostile.error.empty()) << error;
  }
}

std::string Repeated(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::vector<HostileFeed> Tables() {
  const std::string mebibytes(3u << 20, 'x');
  return {
      {"QuoteNeverClosed",
       "id,title\na,\"T\nb,U\nc,V\n",
       {"2-2 unusable row: a quote is not closed", R"("id":"b")", R"("id":"c")"},
       ""},
      {"QuoteNeverClosedInTheHead", "id,\"title\na,T\n", {}, "line 1: a quote is not closed"},
      {"CellOfMegabytes",
       "id,title\na," + mebibytes + "\nb,U\n",
       {"2-2 unusable row: longer than 1048576 bytes", R"("id":"b")"},
       ""},
      {"QuotedCellOfMegabytes",
       "id,title\na,\"" + mebibytes + "\"\nb,U\n",
       {"2-2 unusable row: longer than 1048576 bytes", R"("id":"b")"},
       ""},
      {"HeadOfMegabytes", "id," + mebibytes + "\na,T\n", {}, "line 1: longer than 1048576 bytes"},
      {"HundredThousandColumns",
       "id,title" + Repeated(",c", 100000) + "\na,T\n",
       {},
       "line 1: more than 4096 columns"},
      {"HundredThousandCells",
       "id,title\na,T" + Repeated(",c", 100000) + "\nb,U\n",
       {"unusable row: expected 2 columns, found 100002", R"("id":"b")"},
       ""},
      {"HundredThousandEmptyCells",
       "id,title\na,T" + std::string(100000, ',') + "\nb,U\n",
       {R"("id":"a")", R"("id":"b")"},
       ""},
      {"ColumnsOfOneName", "id,title,id,title\na,T,b,U\n", {R"({"id":"a","title":"T")"}, ""},
      {"Nul",
       "id,title,brand\na,T\0U,\0\nb,\0,B\n\0,V,B\n"s,
       {"title: control characters were removed", "unusable", "unusable"},
       ""},
      {"Formulas",
       "id,title,price\n=1+1,=cmd|' /C calc'!A0,=2*3\n@x,+T,-1\n",
       {R"(unusable price: unknown currency "=" in "=2*3")",
        R"(unusable price: expected an amount)"},
       ""},
      {"MixedLineEnds",
       "id,title\r\na,T\rb,U\n\rc,V\r\n\r\nd,W",
       {"2-2 ", "3-3 ", "5-5 ", "7-7 "},
       ""},
      {"LineSeparatorsOfUnicode",
       "id,title\na,T\xE2\x80\xA8U\nb,\xC2\x85V\n",
       {R"("title":"T U")", R"("title":"V")"},
       ""},
      {"OnlyLineEnds", Repeated("\r\n", 5000), {}, ""},
      {"OnlyDelimiters", Repeated(",,,,\n", 5000), {}, ""},
      {"AByteOrderMarkTwiceAndInTheMiddle",
       "\xEF\xBB\xBF\xEF\xBB\xBFid,title\n\xEF\xBB\xBF"
       "a,T\n",
       {R"({"id":"a")"},
       ""},
      {"MixedEncodings",
       "id,title\na,gr\xC3\xB6n und sch\xC3\xB6n\nb,gr\xF6n\nc,\xE5\x8D\xB0\n" +
           Repeated("d,\xC3\xB6\xC3\xA4\xC3\xBC\xC3\x9F\n", 4),
       {"gr\xC3\xB6n", "unusable title: not well-formed UTF-8", "\xE5\x8D\xB0", "", "", "", ""},
       ""},
      {"OverlongAndSurrogates",
       "id,title\na,\xC0\xAF\nb,\xED\xA0\x80\nc,\xF4\x90\x80\x80\nd," + Repeated("\xC3\xB6", 150) +
           "\n",
       {"unusable", "unusable", "unusable", R"("id":"d")"},
       ""},
      {"HalfAFile",
       "id,title,price\na,T,1 USD\nb,U",
       {R"("id":"a")", "unusable row: the feed ends within it: expected 3 columns, found 2"},
       ""},
      {"IdsThatAreNone",
       "id,title\n../../etc/passwd,T\n" + std::string(600, 'x') + ",T\n.,T\n\xE2\x80\xAE,T\n,T\n",
       {R"("id":"etc-passwd-)", "unusable id: expected", R"("id":"id-)", "",
        "unusable id: missing"},
       ""},
      {"GroupsInACircle",
       "id,title,item_group_id\na,T,b\nb,U,a\nc,V,c\n",
       {R"("item_group_id":"b")", R"("item_group_id":"a")", R"("item_group_id":"c")"},
       ""},
  };
}

std::vector<HostileFeed> Values() {
  const auto priced = [](std::string_view value) {
    return "id,title,price\na,T,\"" + std::string(value) + "\"\n";
  };
  const auto dated = [](std::string_view value) {
    return "id,title,price,sale_price,sale_price_effective_date\na,T,5,4," + std::string(value) +
           "\n";
  };
  const std::string no_amount = "price: expected an amount";
  const std::string no_dates = "sale_price: left out: its dates cannot be read";
  return {
      {"PriceNegative", priced("-1"), {no_amount}, ""},
      {"PriceNegativeInBrackets", priced("(1.00)"), {no_amount}, ""},
      {"PriceExponent", priced("1e308"), {"price: "}, ""},
      {"PriceBeyondIntegers", priced("99999999999999999999 USD"), {no_amount}, ""},
      {"PriceOfManyDigits", priced(std::string(100000, '9')), {no_amount}, ""},
      {"PriceNotANumber", priced("NaN"), {no_amount}, ""},
      {"PriceInfinite", priced("inf"), {no_amount}, ""},
      {"PriceOfAnUnknownCurrency", priced("5 XQX"), {"price: unknown currency \"XQX\""}, ""},
      {"PriceInTwoCurrencies", priced("USD 5 EUR"), {"price: two currencies"}, ""},
      {"PriceOfTwoMeanings", priced("1.500"), {"price: \"1.500\" may be read in two ways"}, ""},
      {"PriceWithAComma", priced("12,50"), {R"("price":{"amount":1250,"currency":"EUR"})"}, ""},
      {"PriceOfHalfACent", priced("0.005"), {no_amount}, ""},
      {"PriceARange", priced("10 - 20"), {no_amount}, ""},
      {"PriceInOtherDigits", priced("\xD9\xA1\xD9\xA2"), {no_amount}, ""},
      {"StockThatIsNoCount",
       "id,title,quantity\na,T,NaN\nb,U,1e9\nc,V,-5\nd,W,99999999999999999999\n",
       {"quantity: expected", "quantity: expected", "out_of_stock", "quantity: expected"},
       ""},
      {"RatingsThatAreNone",
       "id,title,rating,review_count\na,T,inf,1\nb,U,-1,1\nc,V,5.1,1\nd,W,4,-1\n",
       {"rating: expected", "rating: expected", "rating: expected", "review_count: expected"},
       ""},
      {"DateOfNoDay", dated("2026-02-30/2026-03-01"), {no_dates}, ""},
      {"DateOfNoYear", dated("0000-00-00/9999-99-99"), {no_dates}, ""},
      {"DateOfFiveDigits", dated("12026-01-01/12027-01-01"), {no_dates}, ""},
      {"DateOfNoHour", dated("2026-01-01T25:61:61Z/2026-02-01"), {no_dates}, ""},
      {"DateOfNoOffset", dated("2026-01-01T00:00+99:99/2026-02-01"), {no_dates}, ""},
      {"DatesBackwards", dated("2026-02-01/2026-01-01"), {no_dates}, ""},
      {"DateOfTheLastSecond",
       dated("9999-12-31T23:59:59Z/9999-12-31"),
       {R"("sale_price":{"amount":400)"},
       ""},
      {"LinksOfOtherSchemes",
       "id,title,link,image_link\na,T,javascript:alert(1),data:text/html;x\n",
       {"link: expected an http(s) URL"},
       ""},
      {"LinkWithAUser",
       "id,title,link\na,T,https://good@evil.example/\n",
       {"link: expected an http(s) URL"},
       ""},
  };
}

std::vector<HostileFeed> Xml() {
  const std::string good = "<item><id>a</id><title>T</title></item>";
  const std::string refused = "a document type declaration is refused, and entities with it";
  std::string laughs = "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 20; ++i) {
    const std::string before = "&a" + std::to_string(i - 1) + ";";
    laughs += "<!ENTITY a" + std::to_string(i) + " '" + Repeated(before, 10) + "'>";
  }
  return {
      {"XmlEntityBomb", laughs + "]><rss><item><id>&a19;</id></item></rss>", {}, refused},
      {"XmlEntityQuadratic",
       "<!DOCTYPE rss [<!ENTITY a '" + std::string(100000, 'x') + "'>]><rss><item><id>" +
           Repeated("&a;", 1000) + "</id></item></rss>",
       {},
       refused},
      {"XmlExternalEntity",
       "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
       "<rss><item><id>&x;</id></item></rss>",
       {},
       refused},
      {"XmlExternalSubset",
       "<!DOCTYPE rss SYSTEM 'http://127.0.0.1/x.dtd'><rss>" + good + "</rss>",
       {},
       refused},
      {"XmlParameterEntity",
       "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY % p SYSTEM 'http://127.0.0.1/'> %p;]><rss/>",
       {},
       refused},
      {"XmlUndeclaredEntity",
       "<rss>" + good + "<item><id>&evil;</id></item></rss>",
       {R"("id":"a")", "unusable title: missing"},
       ""},
      {"XmlInclude",
       "<rss xmlns:xi='http://www.w3.org/2001/XInclude'><item><id>a</id><title>T"
       "<xi:include href='file:///etc/passwd' parse='text'/></title></item></rss>",
       {R"({"id":"a","title":"T","availability")"},
       ""},
      {"XmlStylesheet",
       "<?xml version='1.0'?><?xml-stylesheet href='http://127.0.0.1/x.xsl'?><rss>" + good +
           "</rss>",
       {R"("id":"a")"},
       ""},
      {"XmlDeepInAnItem",
       "<rss>" + good + "<item>" + Repeated("<x>", 5000),
       {R"("id":"a")", "unusable row: line 1: more than 64 open elements"},
       ""},
      {"XmlDeepOutsideOfItems",
       "<rss>" + Repeated("<channel>", 100000),
       {"unusable row: line 1: more than 64 open elements"},
       ""},
      {"XmlAttributeOfMegabytes",
       "<rss>" + good + "<item a='" + std::string(3u << 20, 'x') + "'/>",
       {R"("id":"a")", "a tag, comment or attribute of more than 1048576 bytes"},
       ""},
      {"XmlManyAttributes",
       "<rss><item" +
           [] {
             std::string all;
             for (int i = 0; i < 20000; ++i) all += " a" + std::to_string(i) + "=''";
             return all;
           }() +
           "><id>a</id><title>T</title></item></rss>",
       {R"("id":"a")"},
       ""},
      {"XmlHundredThousandElements",
       "<rss><item><id>a</id>" + Repeated("<x>y</x>", 100000) + "</item>" + good + "</rss>",
       {"unusable row: longer than", R"("id":"a")"},
       ""},
      {"XmlItemsInItems",
       "<rss><item><id>a</id><title>T</title><item><id>b</id><title>U</title></item></item></rss>",
       {R"({"id":"a","title":"T")"},
       ""},
      {"XmlNul",
       "<rss><item><id>a\0</id></item></rss>"s,
       {"unusable row: line 1: not well-formed XML"},
       ""},
      {"XmlEncodingThatLies",
       "<?xml version='1.0' encoding='UTF-16'?><rss>" + good + "</rss>",
       {R"("id":"a")"},
       ""},
      {"XmlEncodingUtf7",
       "<?xml version='1.0' encoding='UTF-7'?><rss>" + good + "+ADw-item/+AD4-</rss>",
       {R"("id":"a")", "unusable"},
       ""},
      {"XmlHalfAFile",
       "<rss>" + good + "<item><id>b</id><ti",
       {R"("id":"a")", "unusable row: line 1: not well-formed XML: unclosed token"},
       ""},
      {"XmlTwoRoots",
       "<rss>" + good + "</rss><rss>" + good + "</rss>",
       {R"("id":"a")", "junk after document element", R"("id":"a")"},
       ""},
  };
}

std::vector<HostileFeed> Json() {
  const std::string product = R"({"@type":"Product","sku":"a","name":"T"})";
  std::string cyclic = R"({"@type":"ProductGroup","@id":"#g","productGroupID":"g","name":"G",)"
                       R"("hasVariant":[{"@type":"Product","sku":"a","name":"T","isVariantOf":)"
                       R"({"@id":"#g","@type":"ProductGroup","hasVariant":[{"@id":"#g"}]}}]})";
  return {
      {"JsonLinesOfBrackets",
       "{\"id\":\"a\",\"title\":\"T\"}\n" + std::string(100000, '[') + "\n",
       {R"("id":"a")", "unusable"},
       ""},
      {"JsonDeepInALine",
       "{\"id\":\"a\",\"title\":\"T\"}\n{\"id\":" + Repeated("{\"x\":", 50000) + "\n",
       {R"("id":"a")", "unusable"},
       ""},
      {"JsonNumbersBeyondRange",
       "{\"id\":\"a\",\"title\":\"T\"}\n"
       "{\"id\":\"b\",\"title\":\"T\",\"price\":{\"amount\":1e308,\"currency\":\"USD\"}}\n"
       "{\"id\":\"c\",\"title\":\"T\",\"price\":{\"amount\":-1,\"currency\":\"USD\"}}\n"
       "{\"id\":\"d\",\"title\":\"T\",\"popularity\":1e999999}\n"
       "{\"id\":\"e\",\"title\":\"T\",\"popularity\":NaN}\n",
       {R"("id":"a")", "unusable price", "unusable price", "unusable", "unusable"},
       ""},
      {"JsonDuplicateNames",
       "{\"id\":\"a\",\"title\":\"T\"}\n{\"id\":\"b\",\"i\\u0064\":\"c\"}\n",
       {R"("id":"a")", "unusable"},
       ""},
      {"JsonNul",
       ("{\"id\":\"a\",\"title\":\"T\"}\n{\"id\":\"b\0\"}\n{\"id\":\"c\\u0000\","
        "\"title\":\"T\"}\n"s),
       {R"("id":"a")", "unusable", "unusable"},
       ""},
      {"JsonLdVariantsInACircle", cyclic, {R"("id":"a")"}, ""},
      {"JsonLdDeep",
       "[" + product + "," + Repeated("{\"x\":", 50000) + "1" + std::string(50000, '}') + "," +
           product + "]",
       {R"("id":"a")", "unusable", R"("id":"a")"},
       ""},
      {"JsonLdPriceBeyondRange",
       R"([{"@type":"Product","sku":"a","name":"T","offers":{"price":1e308,"priceCurrency":"USD"}},)"
       R"({"@type":"Product","sku":"b","name":"T","offers":{"price":-5,"priceCurrency":"USD"}}])",
       {"unusable price: expected an amount", "unusable price: expected an amount"},
       ""},
      {"JsonLdHalfAFile",
       "[" + product + ",{\"@type\":\"Produ",
       {R"("id":"a")"},
       "the JSON ends within a value"},
      {"HtmlScriptNeverClosed",
       "<html><script type='application/ld+json'>" + product,
       {R"("id":"a")"},
       ""},
      {"HtmlTagNeverClosed",
       "<html><script type='application/ld+json'>" + product + "</script><a " +
           std::string(200000, 'x'),
       {R"("id":"a")"},
       ""},
  };
}

std::vector<HostileFeed> Others() {
  return {
      {"NothingAtAll", "", {}, ""},
      {"OnlyNuls", std::string(1000, '\0'), {}, "no column gives the id"},
      {"AnImage", "\x89PNG\r\n\x1A\n" + std::string(64, '\0'), {}, "no column gives the id"},
      {"APdf", "%PDF-1.7\n1 0 obj\n", {}, "no column gives the id"},
      {"AZipArchive", "PK\x03\x04\x14\0\0\0"s, {}, "no column gives the id"},
      {"HalfAUtf16Character", "\xFF\xFEi\0d\0"s + "\x0A", {}, "no column gives"},
      {"ShopifyEndlessHandle",
       "Handle,Title,Option1 Value,Variant Price\n" + std::string(70000, 'h') + ",T,S,1\n",
       {"unusable Handle: expected"},
       ""},
  };
}

const auto kName = [](const auto& test) { return std::string(test.param.name); };
INSTANTIATE_TEST_SUITE_P(Tables, HostileFeedTest, ::testing::ValuesIn(Tables()), kName);
INSTANTIATE_TEST_SUITE_P(Values, HostileFeedTest, ::testing::ValuesIn(Values()), kName);
INSTANTIATE_TEST_SUITE_P(Xml, HostileFeedTest, ::testing::ValuesIn(Xml()), kName);
INSTANTIATE_TEST_SUITE_P(Json, HostileFeedTest, ::testing::ValuesIn(Json()), kName);
INSTANTIATE_TEST_SUITE_P(Others, HostileFeedTest, ::testing::ValuesIn(Others()), kName);

// One record that is `bytes` long in each format: unusable alone, whatever its length, and those
// around it are taken. A gigabyte with EMPTOR_SOAK.
TEST(HostileLengthTest, ARecordOfAnyLengthIsRefusedAlone) {
  const size_t bytes = std::getenv("EMPTOR_SOAK") != nullptr ? size_t{1} << 30 : size_t{8} << 20;
  struct Form {
    const char* before;
    const char* behind;
  };
  const Form forms[] = {
      {"id,title\na,T\nb,", "\nc,V\n"},
      {"{\"id\":\"a\",\"title\":\"T\"}\n{\"id\":\"b\",\"title\":\"",
       "\"}\n{\"id\":\"c\",\"title\":\"V\"}\n"},
      {"<rss><item><id>a</id><title>T</title></item><item><id>b</id><title>",
       "</title></item><item><id>c</id><title>V</title></item></rss>"},
      {"[{\"@type\":\"Product\",\"sku\":\"a\",\"name\":\"T\"},{\"@type\":\"Product\",\"name\":\"",
       "\"},{\"@type\":\"Product\",\"sku\":\"c\",\"name\":\"V\"}]"},
  };
  const std::string filler(1u << 20, 'x');
  for (const Form& form : forms) {
    SCOPED_TRACE(form.before);
    std::vector<std::string> rows;
    const auto reader = catalog::MakeFeedReader({}, [&](catalog::FeedRow&& row) {
      EXPECT_LE(row.raw.size(), catalog::FeedRow::kMaxRawBytes);
      rows.push_back(Describe(row));
      return absl::OkStatus();
    });
    ASSERT_TRUE(reader->Push(form.before).ok());
    for (size_t sent = 0; sent < bytes; sent += filler.size())
      ASSERT_TRUE(reader->Push(filler).ok());
    ASSERT_TRUE(reader->Push(form.behind).ok());
    ASSERT_TRUE(reader->Finish().ok());
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_THAT(rows[0], HasSubstr(R"("id":"a")"));
    EXPECT_THAT(rows[1], HasSubstr("longer than 1048576 bytes"));
    EXPECT_THAT(rows[2], HasSubstr(R"("id":"c")"));
  }
}

// Half a file of every form, cut at every byte: the rows before the cut stand as they are.
TEST(HostileLengthTest, AFeedThatIsCutAnywhereGivesTheRowsBeforeTheCut) {
  const std::string feeds[] = {
      "id,title,price\na,\"T \"\"x\"\"\",1 USD\nb,U,2 USD\n",
      "<rss xmlns:g='http://base.google.com/ns/1.0'><item><g:id>a</g:id><title>T</title></item>"
      "<item><g:id>b</g:id><title>&lt;U</title></item></rss>",
      "{\"id\":\"a\",\"title\":\"T\"}\n{\"id\":\"b\",\"title\":\"U\"}\n",
      "[{\"@type\":\"Product\",\"sku\":\"a\",\"name\":\"T\"},"
      "{\"@type\":\"Product\",\"sku\":\"b\",\"name\":\"U\"}]",
      "Handle,Title,Option1 Value,Variant Price\na,T,S,1\na,,M,1\nb,U,,2\n",
      "Handle,Title,Option1 Value,Location,Available\na,T,,Berlin,1\na,T,,Paris,1\nb,U,,Berlin,2\n",
      "<script type='application/ld+json'>{\"@type\":\"Product\",\"sku\":\"a\",\"name\":\"T\"}"
      "</script><script type='application/ld+json'>{\"@type\":\"Product\",\"sku\":\"b\"}</script>",
  };
  for (const std::string& feed : feeds) {
    SCOPED_TRACE(feed);
    for (size_t cut = 0; cut < feed.size(); ++cut) {
      const FeedReport report = ReadFeed(feed.substr(0, cut), {.currency = "USD"}, 5);
      EXPECT_EQ(FindBrokenPromise(report), "") << cut;
      EXPECT_LE(report.rows.size(), 4u);
    }
  }
}

}  // namespace
}  // namespace emptor::testing
