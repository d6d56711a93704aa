// Splits documents into passages, the units that search indexes and answers quote.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::catalog {

struct Passage {
  std::string id = {};     // "returns.p3"; a valid id, unique to the document
  std::string title = {};  // of the document, then the headings above: "Returns: Refunds: Abroad"
  std::string text = {};   // without those headings; other headings are plain lines
  size_t begin = 0, end = 0;  // bytes of Document::text, headings left out at its ends
  int page = 0;               // on which it begins (PageOf); 0: the document has none
};

struct PassageLimits {
  size_t min_words = 100;
  size_t max_words = 300;
};

/// Splits at headings (a line "## Heading"), then at paragraphs, then at sentences. Passages have
/// from min_words to max_words words: a short section is joined with the next one, a long one is
/// split into parts of about equal length; only the last passage may be shorter. Two ideographs
/// count as one word, and so do 16 bytes of a long word, so the bytes of a passage are bounded too.
/// No text is lost or repeated. A document has at least one passage; a short one without headings
/// has exactly one. Pure; equal documents have equal passages.
std::vector<Passage> SplitIntoPassages(const Document& document, const PassageLimits& limits = {});

/// The document with the title and text of the passage.
Document DocumentOf(const Document& document, const Passage& passage);

}  // namespace emptor::catalog
