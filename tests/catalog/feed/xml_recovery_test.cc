// XML that is not well-formed in one place: what is rejected there, and that reading goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "catalog/feed/xml_resync.h"
#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::FeedFormat;
using catalog::FeedRow;
using catalog::XmlResync;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Item(const std::string& id) {
  return "<item><id>" + id + "</id><title>T</title></item>\n";
}

// "id" of a product; "raw text | reason" of what is rejected.
std::vector<std::string> Outcome(const FeedReport& report) {
  std::vector<std::string> rows;
  for (const FeedRow& row : report.rows) {
    const bool is_rejected = std::holds_alternative<std::monostate>(row.record);
    rows.push_back(is_rejected ? row.raw + " | " + row.problems.at(0).reason : row.id);
    EXPECT_TRUE(!is_rejected || row.id.empty()) << "of text that is not well-formed";
  }
  return rows;
}

std::vector<std::string> OutcomeOf(const std::string& feed) {
  const FeedReport whole = ReadFeed(feed, {}, feed.size());
  EXPECT_EQ(FindBrokenPromise(whole), "");
  EXPECT_TRUE(whole.status.ok()) << whole.status.ToString();
  EXPECT_TRUE(whole.rows.empty() || whole.rows.back().end_offset <= feed.size());
  for (const size_t piece : {1, 3, 64}) {
    EXPECT_EQ(Outcome(ReadFeed(feed, {}, piece)), Outcome(whole)) << piece;
  }
  return Outcome(whole);
}

constexpr const char* kInvalid = "line 2: not well-formed XML: not well-formed (invalid token)";
constexpr const char* kMismatch = "line 2: not well-formed XML: mismatched tag";

struct BrokenItem {
  const char* name;
  std::string text;  // on the second line
  std::string reason;
};

TEST(XmlRecoveryTest, ABrokenItemIsRejectedAlone) {
  const std::vector<BrokenItem> cases = {
      {"stray less-than", "<item><title>1 < 2</title></item>", kInvalid},
      {"control character", "<item><title>U\x01V</title></item>", kInvalid},
      {"broken UTF-8", "<item><title>U\xFFV</title></item>", kInvalid},
      {"wrongly closed", "<item><title>U</titel></item>", kMismatch},
      {"not closed", "<item><title>U<id>b</id></item>", kMismatch},
      {"opened again instead of closed", "<item><id>b<id><title>U</title></item>", kMismatch},
      {"attribute without quotes", "<item><param name=x>U</param></item>", kInvalid},
      {"quote not closed", "<item><param name='x>U</param></item>", kInvalid},
      {"attribute twice", "<item><param a='1' a='2'>U</param></item>",
       "line 2: not well-formed XML: duplicate attribute"},
      {"end of CDATA alone", "<item><title>U]]>V</title></item>", kInvalid},
      {"comment not closed", "<item><!-- <title>U</title></item>",
       "line 2: not well-formed XML: unclosed token"},
      {"start tag at fault", "<item <id>b</id><title>U</title></item>", kInvalid},
      {"end tag at fault", "<item><title>U</title></item",
       "line 3: not well-formed XML: not well-formed (invalid token)"},
      {"item left open", "<item><title>U</title>",
       "line 3: <item> begins before the one before is closed: line 5: not well-formed XML: "
       "mismatched tag"},
      {"nothing but its start", "<item>",
       "line 3: <item> begins before the one before is closed: line 5: not well-formed XML: "
       "mismatched tag"},
      {"text between items at fault", "\x01 V", kInvalid},
      {"end tag too many", "</item>", kMismatch},
      {"too deep",
       "<item>" +
           [] {
             std::string deep;
             for (int i = 0; i < 70; ++i) deep += "<x>";
             return deep;
           }() +
           "</item>",
       "line 2: more than 64 open elements"},
  };
  for (const BrokenItem& each : cases) {
    SCOPED_TRACE(each.name);
    const auto rows = OutcomeOf("<?xml version='1.0' encoding='UTF-8'?><rss>" + Item("a") +
                                each.text + "\n" + Item("c") + Item("d") + "</rss>");
    EXPECT_THAT(rows, ElementsAre("a", each.text + " | " + each.reason, "c", "d"));
  }
}

TEST(XmlRecoveryTest, ReportsTheLinesOfRejectedRows) {
  const auto report = ReadFeed(
      "<rss>\r\n" + Item("a") + "<item>\r\n<id>b</id>\r\n<title>U \x01 V</title>\r\n</item>\r\n\n" +
          "<item>\n<id>c</id>\n<title>T</title></item>\n</rss>",
      {}, 5);
  ASSERT_THAT(report.rows, SizeIs(3));
  EXPECT_EQ(report.rows[1].line, 3u);
  EXPECT_EQ(report.rows[1].end_line, 6u);
  EXPECT_EQ(report.rows[1].raw, "<item>\r\n<id>b</id>\r\n<title>U \x01 V</title>\r\n</item>");
  EXPECT_EQ(report.rows[2].line, 8u);
  EXPECT_EQ(report.rows[2].end_line, 10u);
}

TEST(XmlRecoveryTest, NamespacesHoldBehindAFaultAsBeforeIt) {
  const auto report = ReadFeed(
      "<feed xmlns='u' xmlns:x='http://base.google.com/ns/1.0'>\n"
      "<entry><x:id>a</x:id><x:title>\x01</x:title></entry>\n"
      "<entry><x:id>b</x:id><x:title>T</x:title></entry><y:z/></feed>",
      {}, 3);
  EXPECT_TRUE(report.status.ok()) << report.status.ToString();
  ASSERT_THAT(report.rows, SizeIs(2));
  EXPECT_EQ(report.rows[1].id, "b");
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("line 3: the prefix \"y\"")));
}

TEST(XmlRecoveryTest, ContinuesAfterAFaultOfTheHead) {
  const std::string names = "xmlns:x='http://base.google.com/ns/1.0'";
  const std::string item = "<item><x:id>a</x:id><x:title>T</x:title></item>";
  const std::vector<std::string> feeds = {
      "<rss " + names + "><channel><title>A \x01 B</title>" + item + item + "</channel></rss>",
      "<rss " + names + "><channel><title>A</titel>" + item + item + "</channel></rss>",
      "\n<?xml version='1.0'?><rss " + names + "><channel>" + item + item + "</channel></rss>",
      "<\x01><rss " + names + ">" + item + item + "</rss>",
      "<!-- a -- b --><rss " + names + ">" + item + item + "</rss>",
  };
  for (const std::string& feed : feeds) {
    SCOPED_TRACE(feed);
    EXPECT_THAT(OutcomeOf(feed), ElementsAre(HasSubstr("not well-formed XML"), "a", "a"));
  }
  EXPECT_THAT(OutcomeOf("<\x01>" + Item("a") + Item("b")),
              ElementsAre(HasSubstr("<\x01> | "), "a", "b"))
      << "without any root";
}

TEST(XmlRecoveryTest, TheRemainderIsOneRejectionWhereNothingFollows) {
  EXPECT_THAT(OutcomeOf("<rss>" + Item("a") + "<item><title>U \x01 V</item></rss>"),
              ElementsAre("a", HasSubstr("<item><title>U \x01 V</item> | line 2")));
  EXPECT_THAT(OutcomeOf("<rss>" + Item("a") + "<item><id>b</id><ti"),
              ElementsAre("a", HasSubstr("<item><id>b</id><ti | line 2")));
  EXPECT_THAT(OutcomeOf("<rss>" + Item("a") + "<item><id>b</id><title>\x01</title></rss>\nx\n"),
              ElementsAre("a", HasSubstr("</title></rss>\nx | line 2")));
  EXPECT_THAT(OutcomeOf("<rss>" + Item("a") + "</rss><x>\n"),
              ElementsAre("a", HasSubstr("<x> | line 2")));
  EXPECT_THAT(OutcomeOf("<rss><channel><title>A \x01 B</title></channel></rss>"),
              ElementsAre(HasSubstr("\x01 B</title></channel></rss> | line 1")));
}

// A feed that was cut tells nobody's absence: that is for the job to know.
TEST(XmlRecoveryTest, AFeedThatEndsBetweenTwoItemsIsAnError) {
  const FeedReport report = ReadFeed("<rss>" + Item("a") + Item("b"), {}, 7);
  EXPECT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.status.message(), "line 3: not well-formed XML: no element found");
}

TEST(XmlRecoveryTest, WhatIsNoFeedIsRefusedAsAWhole) {
  for (const std::string text : {"<svg><g></svg>", "<a>\x01</a>", "<x y=>"}) {
    const FeedReport report = ReadFeed(text, {.format = FeedFormat::kGoogleXml}, 7);
    EXPECT_THAT(report.rows, IsEmpty());
    EXPECT_THAT(std::string(report.status.message()), HasSubstr("line 1: not well-formed XML"));
  }
}

TEST(XmlRecoveryTest, NoDeclarationComesInBehindAFault) {
  const std::string declared = "<!DOCTYPE rss [<!ENTITY e 'x'>]>";
  const std::string item = "<item><id>a</id><title>&e;</title></item>";
  for (const std::string& head : {"<&>" + declared + "<rss>", "<?xml?>" + declared + "<rss>",
                                  "<\x01><rss>" + declared, "\n<?xml version='1.0'?>" + declared}) {
    SCOPED_TRACE(head);
    const FeedReport report =
        ReadFeed(head + item + "</rss>", {.format = FeedFormat::kGoogleXml}, 3);
    for (const FeedRow& row : report.rows) {  // the entity is not the declared one
      const auto* product = std::get_if<::emptor::catalog::Product>(&row.record);
      EXPECT_TRUE(product == nullptr || product->title == "&e;") << Describe(row);
    }
    const bool is_refused =
        std::string(report.status.message()).find("declaration is refused") != std::string::npos;
    EXPECT_TRUE(is_refused || head.ends_with("<rss>" + declared)) << report.status.ToString();
  }
  // In content it declares nothing.
  EXPECT_THAT(OutcomeOf("<rss>" + Item("a") + "\x01" + declared + item + Item("c") + "</rss>"),
              ElementsAre("a", HasSubstr("<!DOCTYPE"), "a", "c"));
}

TEST(XmlRecoveryTest, WhatIsCommentedOutStaysSo) {
  const std::string old = "<!-- </item>" + Item("old") + "-->";
  EXPECT_THAT(OutcomeOf("<rss>" + Item("a") + "<item><title>U \x01 V</title>" + old + "</item>" +
                        Item("c") + "</rss>"),
              ElementsAre("a", HasSubstr("old"), "c"));
  EXPECT_THAT(OutcomeOf("<rss>\x01" + old + Item("c") + "</rss>"),
              ElementsAre(HasSubstr("old"), "c"));
  EXPECT_THAT(
      OutcomeOf("<rss>\x01<title><![CDATA[" + Item("old") + "]]></title>" + Item("c") + "</rss>"),
      ElementsAre(HasSubstr("old"), "c"));
  // Also where it is longer than what is kept.
  const std::string filler(3u << 20, 'x');
  const FeedReport report =
      ReadFeed("<rss>\x01<!--" + filler + Item("old") + filler + "-->" + Item("c") + "</rss>", {});
  EXPECT_TRUE(report.status.ok());
  ASSERT_THAT(report.rows, SizeIs(2));
  EXPECT_EQ(report.rows[1].id, "c");
}

TEST(XmlRecoveryTest, ItemsWithinAnItemThatIsClosedAreAPartOfIt) {
  EXPECT_THAT(OutcomeOf("<rss><item><id>a</id><title>T</title>" + Item("b") + "</item></rss>"),
              ElementsAre("a"));
}

// One end tag is missing in front of more than is kept.
TEST(XmlRecoveryTest, AnItemLeftOpenDoesNotSwallowALongFeed) {
  std::string feed = "<rss>" + Item("a") + "<item><id>b</id>\n";
  const std::string filler = "<description>" + std::string(5000, 'x') + "</description></item>\n";
  for (int i = 0; i < 1000; ++i) {
    feed += "<item><id>c" + std::to_string(i) + "</id><title>T</title>" + filler;
  }
  const FeedReport report = ReadFeed(feed + "</rss>", {}, 10007);
  EXPECT_TRUE(report.status.ok()) << report.status.ToString();
  EXPECT_EQ(FindBrokenPromise(report), "");
  EXPECT_EQ(report.products, 1001u);
  EXPECT_EQ(report.rejected, 1u);
  ASSERT_GT(report.rows.size(), 1u);
  EXPECT_EQ(Describe(report.rows[1]),
            "2-2 unusable row: line 3: <item> begins before the one before is closed: longer than "
            "2097152 bytes;");
}

TEST(XmlRecoveryTest, EveryItemMayBeBroken) {
  std::string feed = "<rss>";
  for (int i = 0; i < 20000; ++i) feed += i % 2 == 0 ? "<item>\x01</item>" : "<item>";
  const FeedReport report = ReadFeed(feed + "</rss>", {});
  EXPECT_EQ(FindBrokenPromise(report), "");
  EXPECT_EQ(report.rejected, 20000u);
  EXPECT_TRUE(report.status.ok());
}

TEST(XmlRecoveryTest, ARejectedItemIsCutAtItsBound) {
  const FeedReport report = ReadFeed("<rss><item><title>U & " + std::string(3u << 20, 'x') +
                                         "</title></item>" + Item("c") + "</rss>",
                                     {});
  ASSERT_THAT(report.rows, SizeIs(2));
  EXPECT_EQ(report.rows[0].raw.size(), FeedRow::kMaxRawBytes);
  EXPECT_EQ(report.rows[1].id, "c");
}

// As the scanner is used: what is not passed comes again with more behind it.
struct Place {
  size_t offset = 0;
  bool is_found = false;
  bool is_declared = false;
  size_t most_held = 0;
};
Place FindPlace(const std::string& text, size_t piece, XmlResync::Options options) {
  if (!options.is_row) options.is_row = [](std::string_view name) { return name == "item"; };
  XmlResync resync(std::move(options));
  Place place;
  for (size_t end = 0; end < text.size();) {
    end = std::min(end + piece, text.size());
    const auto step = resync.Look(std::string_view(text).substr(place.offset, end - place.offset),
                                  end == text.size());
    place.offset += step.passed;
    place.is_found = step.is_found;
    place.is_declared = step.is_declared;
    if (step.is_found || step.is_declared) break;
    place.most_held = std::max(place.most_held, end - place.offset);
  }
  return place;
}

TEST(XmlResyncTest, FindsTheNextTagOfARow) {
  struct Case {
    std::string text;
    std::string rest;  // behind the place; "-": there is none
  };
  const std::vector<Case> cases = {
      {"x <item> y", "<item> y"},
      {"x</item> y", " y"},
      {"x</item\n > y", " y"},
      {"x</item<item>", "<item>"},
      {"x</item <item>", " <item>"},
      {"<items><items/></items>", "-"},
      {"<g:item>", "-"},
      {"<item", "-"},
      {"<item/>", "<item/>"},
      {"<!-- <item> --><item>", "<item>"},
      {"<![CDATA[</item>]]></item>y", "y"},
      {"<!-- <item>", "<item>"},
      {"<!-->--><item>", "<item>"},
      {"<!-- <![CDATA[ --> <item> ]]>", "<item> ]]>"},
      {"<![CDATA[ <!-- ]]> <item>", "<item>"},
      {"< item></ item>", "-"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    for (size_t piece = 1; piece <= each.text.size(); ++piece) {
      const Place place = FindPlace(each.text, piece, {});
      EXPECT_EQ(place.is_found ? each.text.substr(place.offset) : "-", each.rest) << piece;
    }
  }
}

TEST(XmlResyncTest, PassesOverTheTagAtFault) {
  EXPECT_EQ(FindPlace("<item<item>", 2, {.skips_first = true}).offset, 5u);
  EXPECT_EQ(FindPlace("</item>", 2, {.skips_first = true}).offset, 7u);
  EXPECT_EQ(FindPlace("<item>", 2, {.skips_first = false}).offset, 0u);
}

TEST(XmlResyncTest, ReportsADeclarationOnlyBeforeTheRoot) {
  const std::string text = "x <!-- <!DOCTYPE a> --> <!DOCTYPE b><item>";
  for (size_t piece = 1; piece < text.size(); ++piece) {
    EXPECT_TRUE(FindPlace(text, piece, {.is_before_root = true}).is_declared) << piece;
    EXPECT_TRUE(FindPlace(text, piece, {.is_before_root = false}).is_found) << piece;
  }
}

// In bounded memory, and each part of the text looked at once: else this would take hours.
TEST(XmlResyncTest, ManyOpeningsWithoutAnEndTakeLinearTime) {
  for (const std::string opening : {"<!--", "<![CDATA[", "<", "<item", "</item "}) {
    std::string text;
    while (text.size() < XmlResync::kMaxHeld * 3) text += opening;
    const Place place = FindPlace(text, 65536, {.is_row = [](std::string_view) { return false; }});
    EXPECT_FALSE(place.is_found);
    EXPECT_LE(place.most_held, XmlResync::kMaxHeld + 65536);
  }
  std::string shorter;
  while (shorter.size() < XmlResync::kMaxHeld - 64) shorter += "<!--";
  EXPECT_TRUE(FindPlace(shorter + "<item>", 65536, {}).is_found) << "none of them was a comment";
}

}  // namespace
}  // namespace emptor::testing
