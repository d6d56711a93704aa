// RSS, Atom and plain XML; what is refused, and that the rows before stand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kRss = R"(<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0" xmlns:m="http://other.example/">
<channel><title>Shop</title><link>https://s.example</link>
<item>
  <title>Kettle &amp; lid</title>
  <g:id>k1</g:id><g:price>7900 SEK</g:price><g:availability>out of stock</g:availability>
  <description><![CDATA[<p>Boils</p>]]></description>
  <link>https://s.example/k1</link>
  <g:image_link>https://s.example/1.jpg</g:image_link>
  <g:additional_image_link>https://s.example/2.jpg</g:additional_image_link>
  <g:additional_image_link>https://s.example/3.jpg</g:additional_image_link>
  <g:item_group_id>g1</g:item_group_id><g:color>red</g:color>
  <g:product_highlight>fast</g:product_highlight><g:product_highlight>quiet</g:product_highlight>
  <g:shipping><g:country>SE</g:country><g:service>Standard</g:service><g:price>0 SEK</g:price>
    <g:min_transit_time>2</g:min_transit_time><g:max_transit_time>4</g:max_transit_time></g:shipping>
  <g:product_detail><g:section_name>General</g:section_name>
    <g:attribute_name>Power</g:attribute_name><g:attribute_value>2200 W</g:attribute_value></g:product_detail>
  <m:secret>not ours</m:secret>
</item>
<item><g:id>k2</g:id><g:title>Google's</g:title><title>Plain</title></item>
</channel></rss>
)";

TEST(XmlFeedTest, ReadsRssWithGooglesNamespace) {
  const auto read = Read(kRss);
  EXPECT_EQ(read.format, FeedFormat::kGoogleXml);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(
      read.rows,
      ElementsAre(
          R"(4-19 {"id":"k1","title":"Kettle \u0026 lid","description":"\u003cp\u003eBoils\u003c/p\u003e",)"
          R"("price":{"amount":790000,"currency":"SEK"},"availability":"out_of_stock",)"
          R"("condition":"new","link":"https://s.example/k1","image_link":"https://s.example/1.jpg",)"
          R"("additional_image_links":["https://s.example/2.jpg","https://s.example/3.jpg"],)"
          R"("attributes":{"color":"red","product_highlight":"fast; quiet","Power":"2200 W"},)"
          R"("item_group_id":"g1","options":{"color":"red"},"shipping":[{"region":"SE",)"
          R"("service":"Standard","price":{"amount":0,"currency":"SEK"},"min_days":2,)"
          R"("max_days":4}]})",
          HasSubstr(R"("title":"Google's")")));
}

TEST(XmlFeedTest, ReadsAtom) {
  const auto read = Read(
      R"(<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">
<title>Shop</title><entry><id>https://s.example/k1</id><g:id>k1</g:id><title>Kettle</title>
<link href="https://s.example/k1" rel="alternate"/><link rel="self" href="https://s.example/x"/>
<summary>Boils</summary><updated>2026-11-20T12:00:00Z</updated></entry></feed>)");
  EXPECT_EQ(read.error, "");
  EXPECT_THAT(read.rows, ElementsAre(HasSubstr(R"("link":"https://s.example/k1")")));
  EXPECT_THAT(read.rows[0], HasSubstr(R"("updated_at":"2026-11-20T12:00:00Z")"));
}

TEST(XmlFeedTest, ReadsPlainListsOfProducts) {
  const auto read = Read(
      "<products xmlns='http://shop.example/feed'>\n<product><id>a 1</id><name>Wheel</name>"
      "<price>2999.0</price><currency>SEK</currency><availability>InStock</availability>"
      "<url>https://s.example/a</url><images><image>https://s.example/1.jpg</image></images>"
      "<param name='Rim'>30 mm</param></product></products>");
  EXPECT_EQ(read.broken, "");
  ASSERT_THAT(read.rows, SizeIs(1));
  EXPECT_THAT(read.rows[0], HasSubstr(R"("price":{"amount":299900,"currency":"SEK"})"));
  EXPECT_THAT(read.rows[0], HasSubstr(R"("image_link":"https://s.example/1.jpg")"));
  EXPECT_THAT(read.rows[0], HasSubstr(R"("attributes":{"feed_id":"a 1","Rim":"30 mm"})"));
}

TEST(XmlFeedTest, ReadsUnboundPrefixesAndReportsEachOnce) {
  const auto report = ReadFeed(
      "<rss><channel>\n<item><g:id>k1</g:id><g:title>Kettle</g:title><g:price>7 SEK</g:price>"
      "<content:encoded>Boils</content:encoded><foo:price>9 SEK</foo:price></item>\n"
      "<item><g:id>k2</g:id><title>Lamp</title><bar:x bar:y='1'/></item></channel></rss>",
      {}, 7);
  EXPECT_TRUE(report.status.ok()) << report.status.ToString();
  EXPECT_EQ(FindBrokenPromise(report), "");
  ASSERT_THAT(report.rows, SizeIs(2));
  EXPECT_EQ(Describe(report.rows[0]),
            R"(2-2 {"id":"k1","title":"Kettle","description":"Boils",)"
            R"("price":{"amount":700,"currency":"SEK"},"availability":"in_stock",)"
            R"("condition":"new"})");
  EXPECT_EQ(report.rows[1].id, "k2");
  EXPECT_THAT(
      report.notes,
      ElementsAre("line 2: the prefix \"g\" is not bound to a namespace: its elements are read by "
                  "their usual meaning",
                  "line 2: the prefix \"content\" is not bound to a namespace: its elements are "
                  "read by their usual meaning",
                  "line 2: the prefix \"foo\" is not bound to a namespace: its elements have no "
                  "known meaning",
                  "line 3: the prefix \"bar\" is not bound to a namespace: its elements have no "
                  "known meaning"));
}

TEST(XmlFeedTest, NamespacesHoldWhereTheyAreInScope) {
  const auto read = Read(
      "<rss xmlns:x='https://base.google.com/ns/1.0/'><item><x:id>a</x:id><x:title>T</x:title>"
      "<size xmlns:x='http://other.example/'><x:id>b</x:id></size><x:brand>B</x:brand></item>"
      "<item xmlns:g='http://other.example/'><g:id>c</g:id><id>d</id><title>T</title></item>"
      "<item xmlns='http://base.google.com/ns/1.0'><id>e</id><title>T</title></item></rss>");
  EXPECT_EQ(read.error, "");
  ASSERT_THAT(read.rows, SizeIs(3));
  EXPECT_THAT(read.rows[0], HasSubstr(R"({"id":"a","title":"T","brand":"B")"));
  EXPECT_THAT(read.rows[1], HasSubstr(R"({"id":"d")"));
  EXPECT_THAT(read.rows[2], HasSubstr(R"({"id":"e")"));
}

TEST(XmlFeedTest, ReadsFieldsWithoutNamespace) {
  const auto report = ReadFeed(
      "<channel><item><id>k1</id><title>Kettle</title><price>$2,030</price>"
      "<availability>in stock</availability><item_group_id>g</item_group_id><size>S</size>"
      "</item></channel>",
      {.currency = "USD"}, 7);
  ASSERT_THAT(report.rows, SizeIs(1));
  EXPECT_THAT(report.notes, IsEmpty());
  EXPECT_THAT(Describe(report.rows[0]), HasSubstr(R"("amount":203000,"currency":"USD")"));
  EXPECT_THAT(Describe(report.rows[0]), HasSubstr(R"("options":{"size":"S"})"));
}

TEST(XmlFeedTest, MarkupThatIsNotEscapedIsPartOfTheText) {
  const auto read = Read(
      "<rss><item><id>a</id><title>Two <b>litres</b> of it</title>"
      "<description><p>It <i>boils</i>.</p> Fast.</description></item></rss>");
  ASSERT_THAT(read.rows, SizeIs(1));
  EXPECT_THAT(read.rows[0], HasSubstr(R"("title":"Two litres of it")"));
  EXPECT_THAT(read.rows[0], HasSubstr(R"("description":"It boils. Fast.")"));
  EXPECT_THAT(read.rows[0], ::testing::Not(HasSubstr("attributes")));
}

struct BrokenXml {
  const char* name;
  std::string text;
  const char* reason;
};

TEST(XmlFeedTest, RejectsWhatIsNotWellFormedWithLineAndReason) {
  const std::string sound = "<rss><item><id>a</id><title>T</title></item>\n";
  std::string nested;
  for (int i = 0; i < 70; ++i) nested += "<x>";
  std::string prefixes = "<item";
  for (int i = 0; i < 70; ++i) prefixes += " xmlns:p" + std::to_string(i) + "='u'";
  prefixes += "/></rss>";
  const std::vector<BrokenXml> cases = {
      {"less-than", sound + "<item><id>b < c</id></item></rss>",
       "line 2: not well-formed XML: not well-formed (invalid token)"},
      {"prefixes", sound + prefixes, "line 2: too many or too long namespaces"},
      {"mismatch", sound + "<item></rss>", "line 2: not well-formed XML: mismatched tag"},
      {"cut", sound + "<item><id>b", "line 2: not well-formed XML: no element found"},
      {"deep", sound + nested, "line 2: more than 64 open elements"},
      {"not UTF-8", "<?xml version='1.0' encoding='UTF-8'?>" + sound + "<item>\xFF</item></rss>",
       "line 2: not well-formed XML: not well-formed (invalid token)"},
      {"long comment", sound + "<!--" + std::string(3u << 20, 'x') + "--></rss>",
       "line 2: a tag, comment or attribute of more than 1048576 bytes"},
  };
  for (const BrokenXml& each : cases) {
    SCOPED_TRACE(each.name);
    const auto read = Read(each.text);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.broken, "");
    ASSERT_THAT(read.rows, SizeIs(2));
    EXPECT_EQ(read.rows[1], std::string("2-2 unusable row: ") + each.reason + ";");
  }
}

TEST(XmlFeedTest, RefusesEntitiesAndExternalReferences) {
  const std::string laughs =
      "<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]>"
      "<rss><item><id>&b;</id></item></rss>";
  const std::string external =
      "<!DOCTYPE rss SYSTEM 'file:///etc/passwd'><rss><item><id>a</id></item></rss>";
  for (const std::string& text : {laughs, external}) {
    const auto read = Read(text, {.format = FeedFormat::kGoogleXml});
    EXPECT_THAT(read.rows, IsEmpty());
    EXPECT_EQ(read.error, "line 1: a document type declaration is refused, and entities with it");
  }
}

TEST(XmlFeedTest, AnItemThatIsTooLongIsUnusableAlone) {
  const std::string text = "<rss><item><id>a</id><title>" + std::string(2u << 20, 'x') +
                           "</title></item><item><id>b</id><title>T</title></item></rss>";
  const auto read = Read(text);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(read.rows, ElementsAre(HasSubstr("unusable row: longer than 1048576 bytes"),
                                     HasSubstr(R"("id":"b")")));
}

TEST(XmlFeedTest, KeepsTheTextOfAnUnusableItem) {
  const auto report = ReadFeed("<rss>\n<item a='1'><title>&lt;T</title>\n</item></rss>", {}, 3);
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].raw, "<item a='1'><title>&lt;T</title>\n</item>");
  EXPECT_EQ(report.rows[0].line, 2u);
  EXPECT_EQ(report.rows[0].end_line, 3u);
}

TEST(XmlFeedTest, RefusesADocumentOfAnotherKind) {
  EXPECT_EQ(Read("<svg><g/></svg>").error,
            "expected <item>, <entry> or <product> elements, found none");
  EXPECT_EQ(Read("<rss><channel></channel></rss>").error, "");
}

}  // namespace
}  // namespace emptor::testing
