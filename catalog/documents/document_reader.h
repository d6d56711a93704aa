// Files as documents: HTML, Markdown and plain text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "catalog/product.h"

namespace emptor::catalog {

enum class DocumentFormat { kHtml, kMarkdown, kText };

/// By the ending of a file's name: .html, .htm, .xhtml; .md, .markdown; .txt, .text.
std::optional<DocumentFormat> FormatOfFile(std::string_view name);

struct DocumentOptions {
  /// Of the file, with or without its folder: gives the id, and the title where the text has none.
  std::string name;
  DocumentFormat format = DocumentFormat::kText;
  std::string kind = "guide";
  std::string product_id = {};
  std::string locale = {};
};

/// Longest file; its text must fit a record besides (RecordLimits::kDocumentText).
inline constexpr size_t kMaxDocumentFileBytes = 4u << 20;

/// Reads one file. Its encoding is found as that of a feed. The text is plain (text_safety/), with
/// paragraphs parted by an empty line and headings as lines "## Heading": what
/// SplitIntoPassages reads. The title is the first heading of the first level, the <title>, the
/// front matter's, or the file's name. A review is untrusted.
/// Errors: kInvalidArgument, message `name: what is wrong` (too long, no text, not text).
absl::StatusOr<Document> ReadDocument(std::string_view bytes, const DocumentOptions& options);

/// A valid id from a file's name without folder and ending: "Returns & refunds.html" gives
/// "Returns-refunds"; empty when nothing is left.
std::string DocumentIdOf(std::string_view name);

}  // namespace emptor::catalog
