// Bytes, encoding, format, title.
#include "catalog/documents/document_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "catalog/documents/markdown_text.h"
#include "catalog/documents/text_units.h"
#include "catalog/encoding/utf8.h"
#include "catalog/feed/text_decoder.h"
#include "catalog/text_safety/html_text.h"
#include "catalog/text_safety/plain_text.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMaxTitleLine = 120;  // of a first line followed by an empty one
constexpr size_t kMinUnderline = 3;
constexpr char kRefusal[] = "emptor/refusal";

struct Ending {
  View text;
  DocumentFormat format;
};
constexpr std::array<Ending, 8> kEndings = {{{".html", DocumentFormat::kHtml},
                                             {".htm", DocumentFormat::kHtml},
                                             {".xhtml", DocumentFormat::kHtml},
                                             {".md", DocumentFormat::kMarkdown},
                                             {".markdown", DocumentFormat::kMarkdown},
                                             {".txt", DocumentFormat::kText},
                                             {".text", DocumentFormat::kText},
                                             {".pdf", DocumentFormat::kPdf}}};
// Leading bytes in which the signature of a PDF may be.
constexpr size_t kPdfHeadBytes = 1024;

absl::Status Refuse(const DocumentOptions& options, View what) {
  return absl::InvalidArgumentError(fmt::format("{}: {}", options.name, what));
}

View WithoutFolder(View name) { return name.substr(name.find_last_of("/\\") + 1); }

View StemOf(View name) {
  name = WithoutFolder(name);
  return FormatOfFile(name) ? name.substr(0, name.rfind('.')) : name;
}

bool IsIdCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         c == '_' || c == '-';
}

std::string Trimmed(View text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == View::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") + 1 - first));
}

std::string Lowered(View text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return lower;
}

bool IsPdf(View bytes) { return bytes.substr(0, kPdfHeadBytes).find("%PDF-") != View::npos; }

bool IsHtml(View bytes) {
  const std::string head = Trimmed(Lowered(bytes.substr(0, kPdfHeadBytes)));
  return head.starts_with("<!doctype html") || head.starts_with("<html");
}

absl::StatusOr<std::string> Decode(View bytes, const DocumentOptions& options) {
  if (bytes.size() > kMaxDocumentFileBytes) {
    return Refuse(options,
                  fmt::format("{} bytes, at most {}", bytes.size(), kMaxDocumentFileBytes));
  }
  if (IsPdf(bytes)) return Refuse(options, "expected text, found a PDF");
  std::string text;
  TextDecoder decoder([&](View piece) {
    text += piece;
    return absl::OkStatus();
  });
  absl::Status status = decoder.Push(bytes);
  if (status.ok()) status = decoder.Finish();
  if (!status.ok()) return Refuse(options, std::string(status.message()));
  if (!IsValidUtf8(text) || text.find('\0') != std::string::npos) {
    return Refuse(options, "expected text, found other bytes");
  }
  return text;
}

/// Line feeds alone end lines, pages end paragraphs, other controls are blanks.
std::string WithPlainLines(View source) {
  std::string text;
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\f') {
      text += "\n\n";
    } else if (source[i] != '\r') {
      text += source[i];
    } else if (i + 1 == source.size() || source[i + 1] != '\n') {
      text += '\n';
    }
  }
  std::string clean;
  View rest = text;
  while (const auto at = FindControlCharacter(rest, LineBreaks::kAllowed)) {
    clean.append(rest.substr(0, *at)).push_back(' ');
    rest.remove_prefix(*at + DecodeUtf8(rest.substr(*at)).bytes);
  }
  return clean.append(rest);
}

/// Each paragraph separately, so that markup in one does not affect the others.
std::string PlainParagraphs(View text) {
  std::string plain;
  while (!text.empty()) {
    const size_t end = std::min(text.find("\n\n"), text.size());
    const std::string paragraph =
        Trimmed(MakePlainText(text.substr(0, end), TextForm::kParagraphs).text);
    if (!paragraph.empty()) plain += (plain.empty() ? "" : "\n\n") + paragraph;
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return plain;
}

/// 1 for a line of "=", 2 for one of "-".
size_t UnderlineLevel(View line) {
  if (line.size() < kMinUnderline) return 0;
  if (line.find_first_not_of('=') == View::npos) return 1;
  return line.find_first_not_of('-') == View::npos ? 2 : 0;
}

/// Plain text whose underlined lines are headings.
std::string WithMarkedHeadings(View text) {
  std::string marked;
  std::string held;  // the line before
  bool after_blank = true, held_after_blank = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line = Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t level = UnderlineLevel(line);
    if (level > 0 && held_after_blank && !held.empty() && held.size() <= kMaxHeadingBytes / 2) {
      marked += std::string(level, '#') + " " + held + "\n\n";
      held.clear();
      after_blank = true;
      held_after_blank = false;
      continue;
    }
    marked += held + "\n";
    held = level > 0 ? "" : line;
    held_after_blank = after_blank;
    after_blank = line.empty();
  }
  return marked + held;
}

struct Text {
  std::string title;
  std::string text;
  std::vector<uint32_t> pages = {};  // where they begin
};

Text ReadFormat(const std::string& source, DocumentFormat format) {
  if (format == DocumentFormat::kHtml) {
    HtmlText html = HtmlToText(source, {.mark_headings = true});
    return {std::move(html.title), PlainParagraphs(html.text)};
  }
  if (format == DocumentFormat::kMarkdown) {
    MarkdownText markdown = MarkdownToText(source);
    return {std::move(markdown.title), std::move(markdown.text)};
  }
  return {"", PlainParagraphs(WithMarkedHeadings(source))};
}

View FirstLine(View text) { return text.substr(0, text.find('\n')); }

/// True when a paragraph continues in `next`.
bool GoesOn(View text, View next) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  return !text.empty() && !next.empty() && is_lower(next.front()) &&
         (is_lower(text.back()) || text.back() == ',');
}

/// The title property of a PDF is often written by a program.
bool IsTitle(View text) {
  return text.find(' ') != View::npos && text.find('.') == View::npos &&
         !text.starts_with("Microsoft") && !text.starts_with("untitled");
}

absl::StatusOr<Text> ReadPages(View bytes, const DocumentOptions& options) {
  if (!options.read_pdf) return Refuse(options, "PDF is not supported here");
  const auto pdf = options.read_pdf(bytes);
  if (!pdf.ok()) {
    const std::string what(pdf.status().message());
    return WithRefusal(absl::Status(pdf.status().code(), fmt::format("{}: {}", options.name, what)),
                       DocumentRefusalOf(pdf.status()));
  }
  Text text;
  for (const std::string& page : pdf->pages) {
    if (!IsValidUtf8(page)) return Refuse(options, "PDF: expected text, found other bytes");
    const std::string plain = PlainParagraphs(WithPlainLines(page));
    if (!text.text.empty() && !plain.empty()) {
      text.text += GoesOn(text.text, plain) ? " " : "\n\n";
    }
    text.pages.push_back(static_cast<uint32_t>(text.text.size()));
    text.text += plain;
  }
  if (IsValidUtf8(pdf->title) && IsTitle(pdf->title)) text.title = pdf->title;
  return text;
}

absl::StatusOr<Text> ReadText(View bytes, const DocumentOptions& options) {
  if (options.format == DocumentFormat::kPdf) return ReadPages(bytes, options);
  const auto source = Decode(bytes, options);
  if (!source.ok()) return source.status();
  return ReadFormat(WithPlainLines(*source), options.format);
}

/// Removes the first line from the text.
void TakeFirstLine(Text& text) {
  const size_t before = text.text.size();
  text.text = Trimmed(View(text.text).substr(FirstLine(text.text).size()));
  const auto taken = static_cast<uint32_t>(before - text.text.size());
  for (uint32_t& page : text.pages) page -= std::min(page, taken);
}

/// Finds the title and removes it from the start of the text, because every passage has it.
void SettleTitle(const DocumentOptions& options, Text& text) {
  View rest = text.text;
  std::string heading;  // the first of the first level
  while (heading.empty() && !rest.empty()) {
    const View line = FirstLine(rest);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (HeadingLevel(line) == 1) heading = HeadingText(line);
  }
  if (!heading.empty()) text.title = heading;
  const View first = FirstLine(text.text);
  const bool stands_alone = View(text.text).substr(first.size()).starts_with("\n\n");
  const bool may_be_title = options.format == DocumentFormat::kText && stands_alone &&
                            first.size() <= kMaxTitleLine && HeadingLevel(first) == 0;
  if (text.title.empty() && may_be_title) {
    text.title = first;
    TakeFirstLine(text);
  } else if (HeadingLevel(first) > 0 && HeadingText(first) == text.title) {
    TakeFirstLine(text);
  }
  if (Trimmed(text.title).empty()) text.title = StemOf(options.name);
  text.title = Trimmed(MakePlainText(text.title, TextForm::kLine).text);
  text.title = std::string(Utf8Prefix(text.title, RecordLimits::kTitle));
}

}  // namespace

std::optional<DocumentFormat> FormatOfFile(std::string_view name) {
  const std::string lower = Lowered(name);
  for (const Ending& ending : kEndings) {
    if (lower.ends_with(ending.text)) return ending.format;
  }
  return std::nullopt;
}

std::optional<DocumentFormat> DetectDocumentFormat(std::string_view bytes, std::string_view name) {
  if (IsPdf(bytes)) return DocumentFormat::kPdf;
  if (IsHtml(bytes)) return DocumentFormat::kHtml;
  return FormatOfFile(name);
}

std::string DocumentRefusalOf(const absl::Status& status) {
  const auto reason = status.GetPayload(kRefusal);
  return reason ? std::string(*reason) : "invalid";
}

absl::Status WithRefusal(absl::Status status, std::string_view reason) {
  status.SetPayload(kRefusal, absl::Cord(std::string(reason)));
  return status;
}

std::string DocumentIdOf(std::string_view name) {
  constexpr size_t kMaxId = 64;
  std::string id;
  for (const char c : StemOf(name)) {
    if (IsIdCharacter(c) && !(id.empty() && (c == '.' || c == '_' || c == '-'))) {
      id += c;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  id.resize(std::min(id.size(), kMaxId));
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id;
}

absl::StatusOr<Document> ReadDocument(std::string_view bytes, const DocumentOptions& options) {
  auto read = ReadText(bytes, options);
  if (!read.ok()) return read.status();
  Text& text = *read;
  if (text.text.empty()) return WithRefusal(Refuse(options, "no text"), "no_text");
  SettleTitle(options, text);
  if (text.text.empty()) text.text = text.title;
  Document document;
  document.id = DocumentIdOf(options.name);
  document.kind = options.kind;
  document.title = std::move(text.title);
  document.text = std::move(text.text);
  document.pages = std::move(text.pages);
  document.locale = options.locale;
  document.product_id = options.product_id;
  if (document.kind == "review") document.trust = Trust::kUntrusted;
  if (document.id.empty()) return Refuse(options, "the file's name gives no id");
  if (const absl::Status valid = ValidateDocument(document); !valid.ok()) {
    return Refuse(options, std::string(valid.message()));
  }
  return document;
}

}  // namespace emptor::catalog
