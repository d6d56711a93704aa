// References that XML does not know: what they become, and what stays as it is.
#include "catalog/feed/xml_references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/catalog/feed/feed_fixture.h"

namespace emptor::testing {
namespace {

using catalog::XmlReferences;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Filtered {
  std::string text;
  std::vector<std::string> notes;
};

Filtered Filter(std::string_view text, size_t piece) {
  Filtered filtered;
  XmlReferences references([&](std::string_view part) {
    filtered.text += part;
    return absl::OkStatus();
  });
  for (size_t at = 0; at < text.size(); at += piece) {
    EXPECT_TRUE(references.Push(text.substr(at, piece)).ok());
  }
  EXPECT_TRUE(references.Finish().ok());
  filtered.notes = references.notes();
  return filtered;
}

TEST(XmlReferencesTest, RepairsWhatBrowsersRepair) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"R&D", "R&amp;D"},
      {"a & b", "a &amp; b"},
      {"&", "&amp;"},
      {"x&", "x&amp;"},
      {"&&amp;&", "&amp;&amp;&amp;"},
      {"?a=1&b=2&c;", "?a=1&amp;b=2&amp;c;"},
      {"<a href='?a=1&b=2'/>", "<a href='?a=1&amp;b=2'/>"},
      {"&lt;b&gt; &quot;&apos;&amp;", "&lt;b&gt; &quot;&apos;&amp;"},
      {"&#8364;&#x20AC;&#9;", "&#8364;&#x20AC;&#9;"},
      {"a&nbsp;b&eacute;&euro;",
       "a\xC2\xA0"
       "b\xC3\xA9\xE2\x82\xAC"},
      {"&nosuch;", "&amp;nosuch;"},
      {"&amp;nbsp;", "&amp;nbsp;"},
      {"a&#1;b&#0;c&#xFFFF;d&#xD800;e&#99999999999;f", "abcdef"},
      {"&#;&#x;&#xZ;&#X41;", "&amp;#;&amp;#x;&amp;#xZ;&amp;#X41;"},
      {"&" + std::string(100, 'a') + ";", "&amp;" + std::string(100, 'a') + ";"},
      {"<!-- a & b --><![CDATA[c & d]]><?p e & f?>&",
       "<!-- a & b --><![CDATA[c & d]]><?p e & f?>&amp;"},
      {"<!- & <![CDAT & <", "<!- &amp; <![CDAT &amp; <"},
      {"<!-- & -- > & -->&<!---->&", "<!-- & -- > & -->&amp;<!---->&amp;"},
      {"<![CDATA[]]]>&", "<![CDATA[]]]>&amp;"},
      {"<!-- not closed &", "<!-- not closed &"},
      {"no reference at all", "no reference at all"},
  };
  for (const auto& [text, wanted] : cases) {
    for (const size_t piece : {1, 2, 3, 5, 1000}) {
      EXPECT_EQ(Filter(text, piece).text, wanted) << text << " in pieces of " << piece;
    }
  }
}

TEST(XmlReferencesTest, NamesTheFirstLineOfEachKindAndCounts) {
  const std::string text = "<a>\r\n\n&nbsp;R&D\rx & y\n&copy;&#2;</a>";
  for (const size_t piece : {1, 4, 1000}) {
    EXPECT_THAT(Filter(text, piece).notes,
                ElementsAre("line 3: \"&\" begins no reference and is read as text: write &amp; (2 "
                            "in the feed)",
                            "line 3: \"&nbsp;\" is no entity of XML: read as the character of "
                            "HTML, or as text (2 in the feed)",
                            "line 5: \"&#2;\" refers to a character that XML forbids: removed (1 "
                            "in the feed)"));
  }
  EXPECT_THAT(Filter("<a>&amp;</a>", 3).notes, IsEmpty());
}

// Seventeen items, one of them with a bare ampersand: it cost sixteen where the parser stopped.
TEST(XmlReferencesTest, ABareAmpersandCostsNoRow) {
  std::string feed = "<?xml version='1.0'?><rss xmlns:g='http://base.google.com/ns/1.0'><channel>";
  for (int i = 0; i < 17; ++i) {
    feed += "\n<item><g:id>i" + std::to_string(i) + "</g:id><g:title>" +
            (i == 1 ? "Tom & Jerry&nbsp;" : "T") + "</g:title></item>";
  }
  feed += "</channel></rss>";
  for (const size_t piece : {1, 7, 100000}) {
    const FeedReport report = ReadFeed(feed, {}, piece);
    EXPECT_TRUE(report.status.ok()) << report.status.ToString();
    EXPECT_EQ(FindBrokenPromise(report), "");
    EXPECT_EQ(report.products, 17u);
    ASSERT_THAT(report.rows, SizeIs(17));
    EXPECT_EQ(std::get<catalog::Product>(report.rows[1].record).title, "Tom & Jerry");
    EXPECT_EQ(report.rows[16].line, 18u);
    EXPECT_THAT(report.notes, ElementsAre(HasSubstr("line 3: \"&\""), HasSubstr("&nbsp;")));
  }
}

TEST(XmlReferencesTest, NoEntityOfADocumentTypeIsEverExpanded) {
  const FeedReport report = ReadFeed(
      "<!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss><item><id>a</id>"
      "<title>&x;</title></item></rss>",
      {}, 5);
  EXPECT_THAT(std::string(report.status.message()), HasSubstr("document type declaration"));
  EXPECT_THAT(report.rows, IsEmpty());
}

}  // namespace
}  // namespace emptor::testing
