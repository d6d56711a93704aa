// Poppler's words of each page.
#include "catalog/documents/pdf_text.h"

#include <iconv.h>
#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-global.h>
#include <poppler/cpp/poppler-page.h>

#include <climits>
#include <memory>
#include <string>
#include <vector>

#include "catalog/documents/pdf_layout.h"
#include "catalog/encoding/utf8.h"

namespace emptor::catalog {
namespace {

void AppendUtf8(char32_t c, std::string& out) {
  const auto byte = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | (c >> 6));
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | (c >> 12));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | (c >> 18));
    byte(0x80 | ((c >> 12) & 0x3F));
    byte(0x80 | ((c >> 6) & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

/// Converts UTF-16; drops unpaired surrogates, controls and the byte order mark.
std::string Utf8Of(const poppler::ustring& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char32_t c = text[i];
    const bool is_pair = c >= 0xD800 && c < 0xDC00 && i + 1 < text.size() &&
                         text[i + 1] >= 0xDC00 && text[i + 1] < 0xE000;
    if (is_pair) {
      c = 0x10000 + ((c - 0xD800) << 10) + (text[++i] - 0xDC00u);
    } else if ((c >= 0xD800 && c < 0xE000) || c == 0xFEFF) {
      continue;
    }
    AppendUtf8(c < 0x20 ? ' ' : c, out);
  }
  while (const auto at = FindControlCharacter(out, LineBreaks::kRefused)) {
    out.erase(*at, DecodeUtf8(std::string_view(out).substr(*at)).bytes);
  }
  return out;
}

/// Words of one box, should it hold more than one.
void AddWords(const poppler::text_box& box, PdfPage& page) {
  const std::string text = Utf8Of(box.text());
  const poppler::rectf place = box.bbox();
  const double size = box.has_font_info() ? box.get_font_size() : 0;
  for (size_t begin = text.find_first_not_of(' '); begin != std::string::npos;) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    page.push_back({text.substr(begin, end - begin), place.left(), place.right(), place.top(),
                    place.bottom(), size});
    begin = text.find_first_not_of(' ', end);
  }
}

}  // namespace

void PreparePdfParser() {
  poppler::set_debug_error_function([](const std::string&, void*) {}, nullptr);
  // The converters are loaded from files; open ones stay loaded.
  iconv_open("UTF-16LE", "UTF-8");
  iconv_open("UTF-8", "UTF-16LE");
  poppler::ustring::from_utf8("a").to_utf8();
}

PdfReply ReadPdfText(std::string_view bytes, const PdfLimits& limits) {
  if (bytes.size() > INT_MAX) return {.outcome = PdfOutcome::kTooMuchText};
  const std::unique_ptr<poppler::document> document(
      poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
  if (document == nullptr) return {.outcome = PdfOutcome::kDamaged};
  if (document->is_locked()) return {.outcome = PdfOutcome::kEncrypted};
  const int count = document->pages();
  if (count < 1) return {.outcome = PdfOutcome::kDamaged};
  if (count > limits.max_pages) return {.outcome = PdfOutcome::kTooManyPages};
  PdfReply reply;
  reply.title = Utf8Of(document->get_title());
  std::vector<PdfPage> pages;
  size_t total = reply.title.size();
  for (int i = 0; i < count; ++i) {
    PdfPage& page = pages.emplace_back();
    const std::unique_ptr<poppler::page> source(document->create_page(i));
    if (source == nullptr) continue;
    for (const poppler::text_box& box : source->text_list(poppler::page::text_list_include_font)) {
      AddWords(box, page);
    }
    for (const PdfWord& word : page) total += word.text.size() + 1;
    if (total > limits.max_text_bytes) return {.outcome = PdfOutcome::kTooMuchText};
  }
  reply.pages = LayOutPdfPages(pages);
  return reply;
}

}  // namespace emptor::catalog
