// A long document as passages: what search indexes and an answer quotes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "catalog/product.h"

namespace emptor::catalog {

struct Passage {
  std::string id = {};     // "returns.p3"; a valid id, and of this document alone
  std::string title = {};  // of the document, then the headings above: "Returns: Refunds: Abroad"
  std::string text = {};   // without those headings; others are lines of their own, without marks
  size_t begin = 0, end = 0;  // bytes of Document::text, headings left out at its ends
  int page = 0;               // on which it begins (PageOf); 0: the document has none
};

struct PassageLimits {
  size_t min_words = 100;
  size_t max_words = 300;
};

/// Splits at headings (a line "## Heading"), then at paragraphs, then at sentences. Passages have
/// from min_words to max_words words: a short section goes on into the next one, a long one is cut
/// into parts of about equal length; only what is left at the end of a document may be shorter. Two
/// ideographs count as a word, and so do 16 bytes of a longer one, so a passage is bounded in bytes
/// too. No text is lost, none is told twice. A document has one passage at least, and a short one
/// without headings is its only passage. Pure; equal documents have equal passages.
std::vector<Passage> SplitIntoPassages(const Document& document, const PassageLimits& limits = {});

/// The document as if the passage were all it says: its title and text are the passage's.
Document DocumentOf(const Document& document, const Passage& passage);

}  // namespace emptor::catalog
