// The whole chain: compression, encodings, the format by content, and hostile feeds.
#include "catalog/feed/feed_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/catalog/feed/compression.h"
#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Latin letters and the like as UTF-16 with a mark.
std::string Utf16(const std::u16string& text, bool little, bool mark) {
  std::string bytes;
  for (char16_t unit : (mark ? u"\uFEFF" : u"") + text) {
    const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
    bytes += little ? low : high;
    bytes += little ? high : low;
  }
  return bytes;
}

const std::string kCsv = "id,title\na,Kettle\nb,Lamp\n";

TEST(FeedReaderTest, DecompressesGzipAndZstd) {
  const auto want = Read(kCsv).rows;
  ASSERT_THAT(want, SizeIs(2));
  for (const std::string& compressed :
       {Gzip(kCsv), Zstd(kCsv), Gzip(kCsv.substr(0, 9)) + Gzip(kCsv.substr(9)),
        Zstd(kCsv.substr(0, 9)) + Zstd(kCsv.substr(9)), Gzip(kCsv) + std::string(512, '\0')}) {
    const auto read = Read(compressed);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.rows, want);
  }
}

TEST(FeedReaderTest, RefusesCompressedFeedsThatAreCutDamagedOrBombs) {
  for (const std::string& compressed : {Gzip(kCsv), Zstd(kCsv)}) {
    EXPECT_EQ(Read(compressed.substr(0, compressed.size() - 3)).error,
              "the compressed feed is cut off");
  }
  std::string flipped = Gzip(kCsv);
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x55);
  EXPECT_NE(Read(flipped).error, "");
  const std::string zeros(100u << 20, 'x');
  for (const std::string& bomb : {Gzip(zeros), Zstd(zeros)}) {
    const FeedReport report = ReadFeed(bomb, {});
    EXPECT_THAT(std::string(report.status.message()),
                HasSubstr("decompresses to more than 200 times"));
  }
}

TEST(FeedReaderTest, ConvertsEncodings) {
  const auto want = Read(
                        "id,title\na,Blå cykel för två, grön\n"
                        "b,Ännu en räkning på åtta öre och några skärmar\n")
                        .rows;
  const std::u16string wide =
      u"id,title\na,Blå cykel för två, grön\n"
      u"b,Ännu en räkning på åtta öre och några skärmar\n";
  std::string latin;
  for (char16_t unit : wide) latin += static_cast<char>(unit);
  EXPECT_EQ(Read(latin).rows, want);
  for (const bool little : {true, false}) {
    for (const bool mark : {true, false}) {
      const auto read = Read(Utf16(wide, little, mark));
      EXPECT_EQ(read.error, "");
      EXPECT_EQ(read.rows, want) << little << mark;
    }
  }
  const std::string far = "id,title\n" + std::string(80000, 'x') + ",y\nb,r\xE4\x6B r\xF6k\n";
  EXPECT_THAT(Read(far).rows.back(), HasSubstr("räk rök"));
  EXPECT_THAT(Read("<?xml version='1.0' encoding='ISO-8859-1'?><rss><item><id>a</id>"
                   "<title>gr\xF6n \x80</title></item></rss>")
                  .rows,
              ElementsAre(HasSubstr("grön €")));
  EXPECT_EQ(Read("<?xml version='1.0' encoding='x-none'?><rss/>").error,
            "unknown encoding \"x-none\"");
}

TEST(FeedReaderTest, DetectsFormatsByTheirContent) {
  const std::vector<std::pair<std::string, FeedFormat>> cases = {
      {"", FeedFormat::kCsv},
      {"id\ttitle\n", FeedFormat::kGoogleTsv},
      {"Handle,Title,Body (HTML)\n", FeedFormat::kShopifyCsv},
      {"id;title\n", FeedFormat::kCsv},
      {"\xEF\xBB\xBF\n <?xml version='1.0'?><rss/>", FeedFormat::kGoogleXml},
      {"<!DOCTYPE html><html></html>", FeedFormat::kJsonLd},
      {"[{\"@type\":\"Product\"}]", FeedFormat::kJsonLd},
      {"{\"id\":\"a\",\"title\":\"T\"}\n", FeedFormat::kJsonl},
      {"{\"id\":\"a\",\"variants\":[]}\n", FeedFormat::kJsonl},
  };
  for (const auto& [text, format] : cases) EXPECT_EQ(Read(text).format, format) << text;
  for (int i = 0; i < 7; ++i) {
    const auto format = static_cast<FeedFormat>(i);
    EXPECT_EQ(catalog::ParseFeedFormat(catalog::ToString(format)), format);
  }
  EXPECT_EQ(catalog::ParseFeedFormat("pdf"), std::nullopt);
}

TEST(FeedReaderTest, OurOwnJsonLinesPassThroughTheSameChain) {
  const std::string line =
      "{\"id\":\"a\",\"title\":\"T\",\"price\":{\"amount\":1,\"currency\":\"USD\"}}\n";
  const auto read = Read(Gzip("\xEF\xBB\xBF" + line + line));
  EXPECT_EQ(read.error, "");
  EXPECT_THAT(read.rows, SizeIs(2));
}

TEST(FeedReaderTest, JsonLinesAreHandedOnAsTheyCome) {
  int rows = 0;
  const auto reader = catalog::MakeFeedReader({}, [&](catalog::FeedRow&&) {
    ++rows;
    return absl::OkStatus();
  });
  const std::string line = "{\"id\":\"a\",\"title\":\"" + std::string(2000, 'x') + "\"}\n";
  ASSERT_TRUE(reader->Push(line).ok());
  EXPECT_EQ(rows, 1);
}

TEST(FeedReaderTest, SurvivesHostileFeeds) {
  const std::string quote = "id,title\na,\"" + std::string(8u << 20, 'x');
  std::string variants = "id,title,item_group_id\n";
  for (int i = 0; i < 20000; ++i) variants += std::to_string(i) + ",T,one\n";
  const std::vector<std::string> feeds = {
      quote,
      variants,
      "id,title\na,=cmd|' /C calc'!A0\n",
      "id,title,price,quantity\na,T,-1,NaN\nb,T,1e308,-3\nc,T,\"12,50\",x\nd,T,5 XQX,1\n",
      std::string("id,title\na,b\0c\n", 15),
      std::string(1000, '\0'),
      std::string(1u << 20, '['),
      std::string(1u << 20, '<'),
      std::string(1u << 20, '"'),
      std::string(1u << 20, '\xFF'),
      "\xFF\xFE",
      "\x1F\x8B",
      "\x28\xB5\x2F\xFD",
      "<?xml",
      "{",
      "<script type=application/ld+json>",
      "id",
  };
  for (const std::string& feed : feeds) {
    SCOPED_TRACE(feed.substr(0, 40));
    const FeedReport report = ReadFeed(feed, {}, 4096);
    EXPECT_EQ(FindBrokenPromise(report), "");
  }
  EXPECT_EQ(ReadFeed(variants, {}).products, 20000u);
  const auto prices = Read(feeds[3]);
  ASSERT_THAT(prices.rows, SizeIs(4));
  EXPECT_THAT(prices.rows[0], HasSubstr("price: expected an amount, found \"-1\""));
  EXPECT_THAT(prices.rows[3], HasSubstr("price: unknown currency \"XQX\""));
}

}  // namespace
}  // namespace emptor::testing
