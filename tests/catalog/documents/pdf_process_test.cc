// PDFs that tests write, good and hostile, read by a child process; and a child that misbehaves.
#include "catalog/documents/pdf_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>

#include "catalog/documents/passages.h"
#include "catalog/validation.h"
#include "tests/catalog/documents/pdf_builder.h"

namespace emptor::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::MakePdf;
using testing::PdfLines;
using testing::PdfPageText;

PdfProcessOptions Options() { return {.executable = EMPTOR_PDF_CHILD}; }

std::string ErrorOf(std::string_view bytes, const PdfProcessOptions& options = Options()) {
  const auto pages = ReadPdfInChild(bytes, options);
  EXPECT_TRUE(absl::IsInvalidArgument(pages.status())) << pages.status();
  return std::string(pages.status().message());
}

std::string Packed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  packed.resize(size);
  return packed;
}

std::string SmallManual() {
  PdfPageText first = PdfLines(
      {"Fill it with water up to the mark and close the lid.", "Then press the lever down."}, 640);
  first.push_back({.size = 22, .y = 720, .text = "Kettle K20"});
  first.push_back({.size = 15, .y = 670, .text = "Boiling"});
  PdfPageText second = PdfLines({"Vinegar removes lime (once a month)."}, 640);
  second.push_back({.size = 15, .y = 670, .text = "Cleaning"});
  return MakePdf({first, second}, {.title = "Manual of the kettle"});
}

TEST(PdfProcessTest, ReadsPagesWithTheirHeadings) {
  const auto pages = ReadPdfInChild(SmallManual(), Options());
  ASSERT_TRUE(pages.ok()) << pages.status();
  EXPECT_EQ(pages->title, "Manual of the kettle");
  EXPECT_THAT(pages->pages,
              ElementsAre("# Kettle K20\n\n## Boiling\n\nFill it with water up to the mark and "
                          "close the lid. Then press the lever down.",
                          "## Cleaning\n\nVinegar removes lime (once a month)."));
}

TEST(PdfProcessTest, APdfIsADocumentWhosePassagesKnowTheirPages) {
  const DocumentOptions options{
      .name = "manuals/k20.PDF",
      .format = *DetectDocumentFormat(SmallManual(), "k20"),
      .kind = "manual",
      .read_pdf = [](std::string_view bytes) { return ReadPdfInChild(bytes, Options()); }};
  const auto document = ReadDocument(SmallManual(), options);
  ASSERT_TRUE(document.ok()) << document.status();
  EXPECT_EQ(document->id, "k20");
  EXPECT_EQ(document->title, "Kettle K20");
  EXPECT_TRUE(document->text.starts_with("## Boiling\n\nFill it")) << document->text;
  ASSERT_EQ(document->pages.size(), 2u);
  EXPECT_EQ(document->text.substr(document->pages[1], 11), "## Cleaning");
  EXPECT_EQ(PageOf(*document, document->pages[1] - 1), 1);
  EXPECT_EQ(PageOf(*document, document->pages[1]), 2);
  const auto passages = SplitIntoPassages(*document, {.min_words = 1, .max_words = 20});
  ASSERT_EQ(passages.size(), 2u);
  EXPECT_EQ(passages[0].page, 1);
  EXPECT_EQ(passages[1].page, 2);
  EXPECT_EQ(passages[1].title, "Kettle K20: Cleaning");
}

TEST(PdfProcessTest, RefusesWithAReason) {
  EXPECT_THAT(ErrorOf(MakePdf({PdfLines({"a"})}, {.encrypted = true})), HasSubstr("encrypted"));
  EXPECT_THAT(ErrorOf("%PDF-1.7 and nothing more"), HasSubstr("damaged"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("damaged"));
  EXPECT_THAT(ErrorOf(std::string(kMaxPdfBytes + 1, ' ')), HasSubstr("at most"));
  EXPECT_THAT(ErrorOf(MakePdf(std::vector<PdfPageText>(2001))), HasSubstr("too many pages"));
}

TEST(PdfProcessTest, ATextThatIsNoPdfIsNeverHandedOn) {
  DocumentOptions options{.name = "a.pdf", .format = DocumentFormat::kPdf};
  EXPECT_TRUE(absl::IsInvalidArgument(ReadDocument("%PDF-1.4", options).status()));
  options.read_pdf = [](std::string_view) -> absl::StatusOr<PdfPages> {
    return PdfPages{"", {"fine", "broken \xFF"}};
  };
  EXPECT_TRUE(absl::IsInvalidArgument(ReadDocument("%PDF-1.4", options).status()));
}

TEST(PdfProcessTest, APageCountThatIsALieHarmsNobody) {
  for (const int count : {0, 100000, 2000000000}) {
    const auto pages =
        ReadPdfInChild(MakePdf({PdfLines({"one page"})}, {.claimed_pages = count}), Options());
    EXPECT_TRUE(pages.ok() || absl::IsInvalidArgument(pages.status())) << pages.status();
  }
}

TEST(PdfProcessTest, DeepNestingIsRefusedOrReadAndNeverLasts) {
  constexpr size_t kDepth = 200000;
  const std::string deep(kDepth, '[');
  const std::string in_contents = MakePdf({}, {}, {deep + " BT ET"});
  std::string in_objects = SmallManual();
  in_objects.replace(in_objects.find("/MediaBox ["), 11, "/Deep " + deep + " /MediaBox [");
  for (const std::string& bytes : {in_contents, in_objects}) {
    const auto pages = ReadPdfInChild(bytes, Options());
    EXPECT_TRUE(pages.ok() || absl::IsInvalidArgument(pages.status())) << pages.status();
  }
}

TEST(PdfProcessTest, AStreamThatUnpacksWithoutEndIsRefused) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "BT /F1 11 Tf 72 700 Td (words and words) Tj ET\n";
  EXPECT_THAT(ErrorOf(MakePdf({}, {.content_filter = "/FlateDecode"}, {Packed(text)})),
              HasSubstr("PDF: "));
  // 256 MiB of nothing, packed twice.
  const std::string nothing = Packed(Packed(std::string(256u << 20, ' ')));
  ASSERT_LT(nothing.size(), 8192u);
  const auto pages = ReadPdfInChild(
      MakePdf({}, {.content_filter = "[/FlateDecode /FlateDecode]"}, {nothing}), Options());
  EXPECT_TRUE(pages.ok() || absl::IsInvalidArgument(pages.status())) << pages.status();
}

TEST(PdfProcessTest, AChildThatMisbehavesIsOneRefusedPdf) {
  EXPECT_THAT(ErrorOf("misbehave:crash"), HasSubstr("crashed the parser (signal 11)"));
  EXPECT_THAT(ErrorOf("misbehave:spin"), HasSubstr("takes too long"));
  EXPECT_THAT(ErrorOf("misbehave:flood"), HasSubstr("too much text"));
  EXPECT_THAT(ErrorOf("misbehave:garbage"), HasSubstr("exit code 0"));
  EXPECT_THAT(ErrorOf("misbehave:exit"), HasSubstr("exit code 7"));
  PdfProcessOptions hasty = Options();
  hasty.deadline = std::chrono::milliseconds(200);
  EXPECT_THAT(ErrorOf("misbehave:hang", hasty), HasSubstr("takes too long"));
  EXPECT_THAT(ErrorOf("misbehave:close and hang"), HasSubstr("PDF: "));
}

TEST(PdfProcessTest, TheChildCanDoNothingButReadAndAnswer) {
  const auto pages = ReadPdfInChild("misbehave:powers", Options());
  ASSERT_TRUE(pages.ok()) << pages.status();
  EXPECT_THAT(pages->pages,
              ElementsAre("descriptors 3", "open refused", "socket refused",
                          "pipe to itself refused", "write refused", "memory refused"));
}

TEST(PdfProcessTest, WithoutAProgramItSaysSo) {
  const auto pages = ReadPdfInChild(SmallManual(), {.executable = "/nonexistent"});
  EXPECT_TRUE(absl::IsUnavailable(pages.status())) << pages.status();
}

/// Bytes changed, cut out, doubled: read, refused, or the end of a child; never ours.
TEST(PdfProcessTest, MutatedFilesEndInADocumentOrAReason) {
  const char* soak = std::getenv("EMPTOR_SOAK");
  const int rounds = soak != nullptr ? 20 * std::atoi(soak) : 40;
  std::mt19937 random(7);
  const std::string manual = SmallManual();
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = manual;
    for (unsigned change = 0; change <= random() % 8; ++change) {
      const size_t at = random() % bytes.size();
      const size_t size = std::min<size_t>(random() % 64, bytes.size() - at);
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes.erase(at, size);
          break;
        case 2:
          bytes.insert(at, bytes.substr(at, size));
          break;
        default:
          bytes.insert(at, std::to_string(random()));
      }
      if (bytes.empty()) bytes = "%PDF-";
    }
    const DocumentOptions options{
        .name = "a.pdf", .format = DocumentFormat::kPdf, .read_pdf = [](std::string_view pdf) {
          return ReadPdfInChild(pdf, Options());
        }};
    const auto document = ReadDocument(bytes, options);
    EXPECT_TRUE(document.ok() || absl::IsInvalidArgument(document.status())) << document.status();
    EXPECT_NE(DocumentRefusalOf(document.status()), "pdf_stopped") << document.status();
    if (document.ok()) {
      EXPECT_TRUE(ValidateDocument(*document).ok());
    }
  }
}

}  // namespace
}  // namespace emptor::catalog
