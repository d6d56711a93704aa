// Objects 1 catalog, 2 page tree, 3 font, 4 properties, 5 encryption, then a page and its contents
// in turn.
#include "tests/catalog/documents/pdf_builder.h"

#include "fmt/format.h"

namespace emptor::testing {
namespace {

constexpr int kFirstPage = 6;

std::string ContentsOf(const PdfPageText& page) {
  std::string contents;
  for (const PdfText& text : page) {
    std::string escaped;
    for (const char c : text.text) {
      if (c == '(' || c == ')' || c == '\\') escaped += '\\';
      escaped += c;
    }
    contents +=
        fmt::format("BT /F1 {} Tf {} {} Td ({}) Tj ET\n", text.size, text.x, text.y, escaped);
  }
  return contents;
}

std::string Stream(const std::string& bytes, const std::string& filter) {
  const std::string entry = filter.empty() ? "" : " /Filter " + filter;
  return fmt::format("<< /Length {}{} >>\nstream\n{}\nendstream", bytes.size(), entry, bytes);
}

}  // namespace

PdfPageText PdfLines(const std::vector<std::string>& lines, double y) {
  PdfPageText page;
  for (const std::string& line : lines) {
    page.push_back({.y = y, .text = line});
    y -= 13;
  }
  return page;
}

std::string MakePdf(const std::vector<PdfPageText>& pages, const PdfQuirks& quirks,
                    const std::vector<std::string>& raw_contents) {
  const size_t count = raw_contents.empty() ? pages.size() : raw_contents.size();
  std::string kids;
  for (size_t i = 0; i < count; ++i) kids += fmt::format("{} 0 R ", kFirstPage + 2 * i);
  const auto claimed = quirks.claimed_pages < 0 ? static_cast<int>(count) : quirks.claimed_pages;
  std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      fmt::format("<< /Type /Pages /Kids [{}] /Count {} >>", kids, claimed),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      fmt::format("<< /Title ({}) >>", quirks.title),
      fmt::format("<< /Filter /Standard /V 1 /R 2 /O <{0}> /U <{0}> /P -4 >>",
                  std::string(64, 'A'))};
  for (size_t i = 0; i < count; ++i) {
    objects.push_back(
        fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources "
                    "<< /Font << /F1 3 0 R >> >> /Contents {} 0 R >>",
                    kFirstPage + 2 * i + 1));
    objects.push_back(Stream(raw_contents.empty() ? ContentsOf(pages[i]) : raw_contents[i],
                             quirks.content_filter));
  }
  std::string file = "%PDF-1.4\n", table = "0000000000 65535 f \n";
  for (size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", file.size());
    file += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  const size_t at = file.size();
  file += fmt::format(
      "xref\n0 {}\n{}trailer\n<< /Size {} /Root 1 0 R /Info 4 0 R /ID [<00> <00>]{} >>\n",
      objects.size() + 1, table, objects.size() + 1, quirks.encrypted ? " /Encrypt 5 0 R" : "");
  return file + fmt::format("startxref\n{}\n%%EOF\n", at);
}

}  // namespace emptor::testing
