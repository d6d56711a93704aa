// HTML in the text of a document: headings stay, as they do in HTML files.
#include <gtest/gtest.h>

#include <string>

#include "catalog/documents/document_reader.h"
#include "catalog/documents/passages.h"
#include "catalog/text_safety/plain_text.h"
#include "catalog/text_safety/safe_record.h"

namespace emptor::catalog {
namespace {

std::string Sections(std::string_view text) {
  const std::string plain = MakePlainText(text, TextForm::kSections).text;
  EXPECT_EQ(MakePlainText(plain, TextForm::kSections).text, plain) << "not idempotent";
  return plain;
}

Document Safe(std::string text) {
  Document document;
  document.id = "returns";
  document.kind = "policy";
  document.title = "Returns";
  document.text = std::move(text);
  EXPECT_TRUE(MakeSafe(ScreenPolicy::kFlag, document).empty());
  return document;
}

TEST(HtmlSectionsTest, KeepsHeadings) {
  EXPECT_EQ(Sections("<h2>Abroad</h2><p>Send it &amp; wait.</p><h3>EU</h3><ul><li>DE<li>FR</ul>"),
            "## Abroad\n\nSend it & wait.\n\n### EU\n\n- DE\n- FR");
  EXPECT_EQ(Sections("&lt;h2&gt;Abroad&lt;/h2&gt;&lt;p&gt;Wait.&lt;/p&gt;"), "## Abroad\n\nWait.");
}

TEST(HtmlSectionsTest, ADescriptionOfAProductHasNone) {
  EXPECT_EQ(MakePlainText("<h2>Quiet</h2><p>Boils.</p>", TextForm::kParagraphs).text,
            "Quiet\n\nBoils.");
}

TEST(HtmlSectionsTest, LinesStayWhereTheMarkupIsWithinThem) {
  EXPECT_EQ(Sections("## Abroad\n\nSend it &amp; wait.\n- <b>EU</b>\n- US\n\n\nThen rest."),
            "## Abroad\n\nSend it & wait.\n- EU\n- US\n\nThen rest.");
  EXPECT_EQ(Sections("One\nline\n\ntwo"), "One\nline\n\ntwo");
}

TEST(HtmlSectionsTest, TextHiddenAcrossParagraphsIsGone) {
  EXPECT_EQ(Sections("Shown.\n\n<span style='display:none'>hidden\n\nhidden too</span>\n\nEnd."),
            "Shown.\n\nEnd.");
}

TEST(HtmlSectionsTest, ADocumentOfJsonLinesIsSplitAsItsFileWouldBe) {
  std::string html = "<h1>Returns</h1>";
  for (const char* heading : {"Refunds", "Abroad"}) {
    html += "<h2>" + std::string(heading) + "</h2><p>";
    for (int i = 0; i < 150; ++i) html += "word" + std::to_string(i) + " ";
    html += "end.</p>";
  }
  const auto passages = SplitIntoPassages(Safe(html));
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].title, "Returns: Refunds");
  EXPECT_EQ(passages[1].title, "Returns: Abroad");
  const auto file = ReadDocument(html, {.name = "returns.html", .format = DocumentFormat::kHtml});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(SplitIntoPassages(*file).at(1).text, passages[1].text);
}

TEST(HtmlSectionsTest, PagesGoWithTheTextTheyArePlacesIn) {
  Document document = Safe("One page.\n\nAnother.");
  document.pages = {0, 11};
  MakeSafe(ScreenPolicy::kFlag, document);
  EXPECT_EQ(document.pages.size(), 2u);
  document.text = "<p>One page.</p><p>Another.</p>";
  MakeSafe(ScreenPolicy::kFlag, document);
  EXPECT_TRUE(document.pages.empty());
}

}  // namespace
}  // namespace emptor::catalog
