// Files as documents: HTML, Markdown, plain text and PDF.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::catalog {

enum class DocumentFormat { kHtml, kMarkdown, kText, kPdf };

/// By the ending of a file's name: .html, .htm, .xhtml; .md, .markdown; .txt, .text; .pdf.
std::optional<DocumentFormat> FormatOfFile(std::string_view name);
/// By how the bytes begin (PDF, HTML), else by the name.
std::optional<DocumentFormat> DetectDocumentFormat(std::string_view bytes, std::string_view name);

/// Text as catalog/documents/pdf_layout.h gives it, a page each.
struct PdfPages {
  std::string title = {};  // as the file's properties say; often nonsense
  std::vector<std::string> pages = {};
};

struct DocumentOptions {
  /// Of the file, with or without its folder: gives the id, and the title where the text has none.
  std::string name;
  DocumentFormat format = DocumentFormat::kText;
  std::string kind = "guide";
  std::string product_id = {};
  std::string locale = {};
  /// Reads a PDF, e.g. ReadPdfInChild of pdf_process.h. Empty: PDF is refused.
  std::function<absl::StatusOr<PdfPages>(std::string_view)> read_pdf = {};
};

/// Longest file but a PDF (kMaxPdfBytes); its text must fit a record besides
/// (RecordLimits::kDocumentText).
inline constexpr size_t kMaxDocumentFileBytes = 4u << 20;

/// Reads one file. Its encoding is found as that of a feed. The text is plain (text_safety/), with
/// paragraphs parted by an empty line and headings as lines "## Heading": what
/// SplitIntoPassages reads. The title is the first heading of the first level, the <title>, the
/// front matter's, or the file's name. A review is untrusted. Of a PDF the pages are known
/// (Document::pages).
/// Errors: kInvalidArgument, message `name: what is wrong` (too long, no text, not text), those of
/// `read_pdf`.
absl::StatusOr<Document> ReadDocument(std::string_view bytes, const DocumentOptions& options);

/// Why there is no document, in one word for counting: "pdf_crashed", "pdf_encrypted", "pdf_slow",
/// ..., "no_text", "invalid".
std::string DocumentRefusalOf(const absl::Status& status);
/// Lays that word to a status.
absl::Status WithRefusal(absl::Status status, std::string_view reason);

/// A valid id from a file's name without folder and ending: "Returns & refunds.html" gives
/// "Returns-refunds"; empty when nothing is left.
std::string DocumentIdOf(std::string_view name);

}  // namespace emptor::catalog
