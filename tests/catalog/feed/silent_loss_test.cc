// Feeds that could go in with a row lost, or read wrongly, and nobody told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/catalog/feed/compression.h"
#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(SilentLossTest, MarkupInADescriptionMakesNoPageOfAFeed) {
  const std::vector<std::string> feeds = {
      "<rss><channel><item><id>a</id><title>T</title><description><![CDATA[<p>Hi<script>x()</"
      "script>"
      "</p>]]></description></item></channel></rss>",
      "<?xml version=\"1.0\"?><!-- <html> --><products><product><id>a</id><name>T</name>"
      "<headline>x</headline></product></products>",
      "<!DOCTYPEX><rss><channel><item><id>a</id><title>T</title><body>x</body></item></channel>"
      "</rss>"};
  for (const std::string& feed : feeds) {
    const auto read = Read(feed);
    EXPECT_EQ(read.format, FeedFormat::kGoogleXml) << feed;
  }
  for (const std::string& feed : {feeds[0], feeds[1]}) {
    EXPECT_THAT(Read(feed).rows, ElementsAre(HasSubstr(R"({"id":"a","title":"T")"))) << feed;
  }
}

TEST(SilentLossTest, PagesAreDetectedByTheirFirstElement) {
  const std::string script =
      R"(<script type="application/ld+json">{"@type":"Product","sku":"a","name":"T"}</script>)";
  for (const std::string& page :
       {"<!-- a shop -->\n<!doctype HTML><html>" + script, "<HEAD>" + script, script,
        "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0'><html>" + script,
        "<div class=\"x\">" + script + "</div>"}) {
    const auto read = Read(page);
    EXPECT_EQ(read.format, FeedFormat::kJsonLd) << page;
    EXPECT_THAT(read.rows, ElementsAre(HasSubstr(R"({"id":"a","title":"T")"))) << page;
  }
}

TEST(SilentLossTest, AnArrayOfRecordsIsAccountedFor) {
  const auto read = Read("[{\"id\":\"a\",\"title\":\"T\"},\n{\"id\":\"b\",\"title\":\"U\"}]\n");
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.broken, "");
  EXPECT_THAT(read.rows,
              ElementsAre(HasSubstr("1-1 unusable row: expected an object of schema.org"),
                          HasSubstr("2-2 unusable row: expected an object of schema")));
  EXPECT_THAT(Read("[]").rows, SizeIs(0));
}

TEST(SilentLossTest, AFeedWithoutProductsSaysSo) {
  for (const std::string feed :
       {"<!doctype html>\n<html><body>No kettles today</body></html>\n",
        "<html>\n<script type=\"application/ld+json\">{\"@type\":\"BreadcrumbList\"}</script>",
        "{\"@context\":\"https://"
        "schema.org\",\n\"@type\":\"Organization\",\"name\":\"Torvane\"}"}) {
    const auto read = Read(feed);
    EXPECT_EQ(read.error, "") << feed;
    EXPECT_EQ(read.broken, "") << feed;
    EXPECT_THAT(read.rows, ElementsAre("1-2 unusable row: expected a Product or ProductGroup of "
                                       "schema.org, found none;"))
        << feed;
  }
  const auto among = Read(R"([{"@type":"Organization"},{"@type":"Product","sku":"a","name":"T"}])");
  EXPECT_THAT(among.rows, SizeIs(1)) << "what is no product is passed over";
}

TEST(SilentLossTest, AnAttributeThatIsCalledVariantsMakesNoAcpFeed) {
  const auto read = Read(
      "{\"id\":\"a\",\"title\":\"T\",\"attributes\":{\"variants\":\"3\"}}\n"
      "{\"id\":\"b\",\"title\":\"U\"}\n");
  EXPECT_THAT(read.rows, ElementsAre(HasSubstr(R"("id":"a")"), HasSubstr(R"("id":"b")")));
}

TEST(SilentLossTest, AForeignRowInUtf8SpoilsNoOther) {
  const std::string head = "id,title\na,K\xC3\xA4se\nb,", tail =
                                                              "\nc,Gr\xC3\xB6\xC3\x9F"
                                                              "e\n";
  const auto one = Read(head + "M\xFCsli" + tail);
  ASSERT_THAT(one.rows, SizeIs(3));
  EXPECT_THAT(one.rows[0], HasSubstr("K\xC3\xA4se"));
  EXPECT_THAT(one.rows[1], HasSubstr("title: "));
  EXPECT_THAT(one.rows[2], HasSubstr("Gr\xC3\xB6\xC3\x9F"
                                     "e"));
  // Two exports in one file, most of it in the other encoding: reported, not made up.
  std::string mixed = "id,title\n";
  for (int i = 0; i < 5; ++i) mixed += std::to_string(i) + ",r\xE4\x6B r\xF6k st\xF6r\n";
  mixed += "x,K\xC3\xA4se aus \xC3\x96sterreich\n";
  const auto two = Read(mixed);
  ASSERT_THAT(two.rows, SizeIs(6));
  EXPECT_THAT(two.rows[0], HasSubstr("title: "));
  EXPECT_THAT(two.rows[5], HasSubstr("K\xC3\xA4se aus \xC3\x96sterreich"));
}

TEST(SilentLossTest, RowsBeforeDamagedCompressionAreKept) {
  const std::string feed = "id,title\na,Kettle\nb,Lamp\n";
  const auto trailing = Read(Gzip(feed) + "and more");
  EXPECT_THAT(trailing.rows, SizeIs(2));
  EXPECT_THAT(trailing.error, HasSubstr("gzip: incorrect header check, after byte 25 of"));
  const auto cut = Read(Gzip(feed + "c,Mug").substr(0, Gzip(feed + "c,Mug").size() - 6));
  EXPECT_THAT(cut.rows, SizeIs(2)) << "a row that may go on is no row";
  EXPECT_EQ(cut.error, "the compressed feed is cut off");
}

TEST(SilentLossTest, TheRowsBeforeDamageAreTheSameHoweverAFeedArrives) {
  std::string feed = "id,title\n";
  uint32_t noise = 1;
  while (feed.size() < 600000) {
    noise = noise * 1664525 + 1013904223;
    feed += std::to_string(noise) + ",Kettle " + std::to_string(noise % 99991) + "\n";
  }
  for (std::string compressed : {Gzip(feed), Zstd(feed)}) {
    compressed.replace(compressed.size() * 2 / 3, 64, std::string(64, '\xFF'));
    const auto whole = ReadFeed(compressed, {}, compressed.size());
    const auto cut = ReadFeed(compressed, {}, 61);
    EXPECT_FALSE(whole.status.ok());
    EXPECT_EQ(whole.status, cut.status);
    EXPECT_GT(whole.rows.size(), 10000u) << whole.status;
    EXPECT_EQ(whole.rows.size(), cut.rows.size());
  }
}

TEST(SilentLossTest, ABlockIsKeptIfTheHeaderOfTheNextIsDamaged) {
  std::string feed = "id,title\n";
  for (int i = 0; i < 20000; ++i) feed += std::to_string(i * 7919 % 100003) + ",Kettle\n";
  std::string compressed = Zstd(feed);  // blocks of 128 KiB
  ASSERT_EQ(compressed[4] & 0xE0, 0xA0);
  const size_t first = 9;  // behind magic, descriptor and four bytes of size
  const auto header = [&](size_t at) {
    return static_cast<uint8_t>(compressed[at]) | static_cast<uint8_t>(compressed[at + 1]) << 8 |
           static_cast<uint8_t>(compressed[at + 2]) << 16;
  };
  const size_t second = first + 3 + static_cast<size_t>(header(first) >> 3);
  ASSERT_LT(second, compressed.size());
  compressed[second] = static_cast<char>(compressed[second] | 6);  // a type that there is not
  const auto whole = ReadFeed(compressed, {}, compressed.size());
  EXPECT_THAT(whole.status.ToString(), HasSubstr("after byte 131072 of"));
  EXPECT_GT(whole.rows.size(), 9000u);
  EXPECT_EQ(ReadFeed(compressed, {}, 1).rows.size(), whole.rows.size());
}

}  // namespace
}  // namespace emptor::testing
