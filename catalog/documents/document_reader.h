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

/// The format by the extension of a file name: .html, .htm, .xhtml; .md, .markdown; .txt, .text;
/// .pdf.
std::optional<DocumentFormat> FormatOfFile(std::string_view name);
/// The format by the first bytes (PDF, HTML), else by the name.
std::optional<DocumentFormat> DetectDocumentFormat(std::string_view bytes, std::string_view name);

/// Text of each page in the form of catalog/documents/pdf_layout.h.
struct PdfPages {
  std::string title = {};  // of the file's properties; often meaningless
  std::vector<std::string> pages = {};
};

struct DocumentOptions {
  /// Name of the file, with or without its folder: the source of the id, and of the title if the
  /// text has none.
  std::string name;
  DocumentFormat format = DocumentFormat::kText;
  std::string kind = "guide";
  std::string product_id = {};
  std::string locale = {};
  /// Reads a PDF, e.g. ReadPdfInChild of pdf_process.h. Empty: PDF is refused.
  std::function<absl::StatusOr<PdfPages>(std::string_view)> read_pdf = {};
};

/// Largest file, except for PDFs (kMaxPdfBytes). The text must also fit a record
/// (RecordLimits::kDocumentText).
inline constexpr size_t kMaxDocumentFileBytes = 4u << 20;

/// Reads one file. Its encoding is detected like that of a feed. The text is plain (text_safety/),
/// with paragraphs separated by an empty line and headings as lines "## Heading", the input of
/// SplitIntoPassages. The title is the first heading of the first level, the <title>, the front
/// matter's, or the file's name. A review is untrusted. For a PDF, Document::pages is set. Errors:
/// kInvalidArgument, message `name: what is wrong` (too long, no text, not text), those of
/// `read_pdf`.
absl::StatusOr<Document> ReadDocument(std::string_view bytes, const DocumentOptions& options);

/// The reason of a failure as one word, for metrics: "pdf_crashed", "pdf_encrypted", "pdf_slow",
/// ..., "no_text", "invalid".
std::string DocumentRefusalOf(const absl::Status& status);
/// Attaches that word to a status.
absl::Status WithRefusal(absl::Status status, std::string_view reason);

/// A valid id made of a file name without folder and extension: "Returns & refunds.html" gives
/// "Returns-refunds"; empty when nothing is left.
std::string DocumentIdOf(std::string_view name);

}  // namespace emptor::catalog
