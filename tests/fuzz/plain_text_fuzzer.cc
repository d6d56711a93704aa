// Any bytes as the text of a record: plain text stays plain, and the screen reads everything.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "catalog/encoding/utf8.h"
#include "catalog/text_safety/html_text.h"
#include "catalog/text_safety/injection_screen.h"
#include "catalog/text_safety/plain_text.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckForm(std::string_view source, emptor::catalog::TextForm form) {
  const auto plain = emptor::catalog::MakePlainText(source, form);
  if (!emptor::catalog::IsValidUtf8(source)) return Require(plain.text == source);
  Require(emptor::catalog::IsValidUtf8(plain.text));
  Require(!emptor::catalog::LooksLikeHtml(plain.text));
  Require(emptor::catalog::MakePlainText(plain.text, form).text == plain.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckForm(bytes, emptor::catalog::TextForm::kParagraphs);
  CheckForm(bytes, emptor::catalog::TextForm::kLine);
  if (!emptor::catalog::IsValidUtf8(bytes)) return 0;
  emptor::catalog::HtmlToText(bytes, {.mark_headings = true});
  if (const auto found = emptor::catalog::FindInjection(bytes)) {
    Require(!found->reason.empty() && found->excerpt.size() <= 120);
    Require(emptor::catalog::IsValidUtf8(found->excerpt));
  }
  return 0;
}
