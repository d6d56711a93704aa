// Words of pages become headings and paragraphs.
#include "catalog/documents/pdf_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "catalog/documents/pdf_reply.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;

/// Words of one line at that height.
void AddLine(const std::string& text, double top, double size, PdfPage& page, double left = 72) {
  std::istringstream words(text);
  for (std::string word; words >> word; left += 40) {
    page.push_back({word, left, left + 35, top, top + size, size});
  }
}

TEST(PdfLayoutTest, JoinsLinesAndPartsParagraphs) {
  PdfPage page;
  AddLine("Fill the kettle with", 100, 11, page);
  AddLine("water and wait un-", 113, 11, page);
  AddLine("til it boils.", 126, 11, page);
  AddLine("Never open it.", 160, 11, page);
  EXPECT_THAT(LayOutPdfPages({page}),
              ElementsAre("Fill the kettle with water and wait until it boils.\n\nNever open it."));
}

TEST(PdfLayoutTest, TakesLargeLettersAsHeadings) {
  PdfPage page;
  AddLine("Kettle K20", 50, 24, page);
  AddLine("Cleaning", 90, 16, page);
  AddLine("Use vinegar and a soft cloth for the inside.", 120, 11, page);
  AddLine("Descaling of the", 150, 16, page);
  AddLine("heating plate", 168, 16, page);
  AddLine("Once a month is enough for most water.", 200, 11, page);
  EXPECT_THAT(LayOutPdfPages({page}),
              ElementsAre("# Kettle K20\n\n## Cleaning\n\nUse vinegar and a soft cloth for the "
                          "inside.\n\n## Descaling of the heating plate\n\nOnce a month is enough "
                          "for most water."));
}

TEST(PdfLayoutTest, KeepsListsAsLines) {
  PdfPage page;
  AddLine("You need:", 100, 11, page);
  AddLine("\u2022 water", 113, 11, page);
  AddLine("\u2022 a socket", 126, 11, page);
  AddLine("1. Fill it.", 139, 11, page);
  EXPECT_THAT(LayOutPdfPages({page}), ElementsAre("You need:\n\n- water\n- a socket\n1. Fill it."));
}

TEST(PdfLayoutTest, KeepsRowsOfTablesAsLines) {
  PdfPage page;
  AddLine("Power", 100, 11, page);
  AddLine("2200 W", 100, 11, page, 200);
  AddLine("Capacity", 113, 11, page);
  AddLine("1.7 l", 113, 11, page, 200);
  EXPECT_THAT(LayOutPdfPages({page}), ElementsAre("Power | 2200 W\nCapacity | 1.7 l"));
}

TEST(PdfLayoutTest, LeavesOutRunningTitlesAndPageNumbers) {
  std::vector<PdfPage> pages(4);
  const char* texts[] = {"Boil it.", "Pour it.", "Drink it.", "Wash it."};
  for (size_t i = 0; i < pages.size(); ++i) {
    AddLine("Manual of the K20", 20, 11, pages[i]);
    AddLine(texts[i], 100, 11, pages[i]);
    AddLine("Page " + std::to_string(i + 1) + " of 4", 700, 11, pages[i]);
  }
  EXPECT_THAT(LayOutPdfPages(pages), ElementsAre("Boil it.", "Pour it.", "Drink it.", "Wash it."));
}

TEST(PdfLayoutTest, ReadsTheSecondColumnBehindTheFirst) {
  PdfPage page;
  AddLine("The first column ends in the middle of", 100, 11, page);
  AddLine("a sentence that goes on in", 113, 11, page);
  AddLine("the second one.", 100, 11, page, 320);
  AddLine("New here.", 140, 11, page, 320);
  EXPECT_THAT(LayOutPdfPages({page}),
              ElementsAre("The first column ends in the middle of a sentence that goes on in the "
                          "second one.\n\nNew here."));
}

TEST(PdfLayoutTest, TextThatLooksLikeAHeadingIsNone) {
  PdfPage page;
  AddLine("# 7 in the list", 100, 11, page);
  EXPECT_THAT(LayOutPdfPages({page, {}}), ElementsAre(" # 7 in the list", ""));
}

TEST(PdfReplyTest, ComesBackAsItWasAndNothingElseIsTaken) {
  const PdfReply reply{PdfOutcome::kRead, "Title", {"one", "", "three"}};
  const std::string bytes = EncodePdfReply(reply);
  const auto decoded = DecodePdfReply(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->title, "Title");
  EXPECT_EQ(decoded->pages, reply.pages);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodePdfReply(bytes.substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(DecodePdfReply(bytes + "x").has_value());
  std::string of_no_outcome = bytes;
  of_no_outcome[4] = 9;
  EXPECT_FALSE(DecodePdfReply(of_no_outcome).has_value());
  std::string of_many = EncodePdfReply({});
  of_many.replace(of_many.size() - 4, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_FALSE(DecodePdfReply(of_many).has_value());
}

}  // namespace
}  // namespace emptor::catalog
