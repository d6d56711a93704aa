// The source of a sentence, with its words.
#pragma once

#include <string>
#include <vector>

#include "services/grounding/answer_lexer.h"
#include "services/grounding/fact_renderer.h"

namespace emptor::services {

/// The source that supports a sentence. `product_id` is empty for a document.
/// `passage_id` is "<record>#<field>", or the passage of a long document ("returns.p3"); `quote` is
/// the words of the record; `title` and `page` locate them in a document: "Manual", 3.
struct Citation {
  int n = 0;
  std::string product_id;
  std::string passage_id;
  std::string quote;
  std::string title = {};  // of a document
  int page = 0;            // of a document with pages
};

/// The citation of source `n` for a sentence that stated `facts`: its quote is those facts as the
/// record has them now, or the title when the sentence stated none; of a document its text.
/// REQUIRES: renderer.source(n) != nullptr.
Citation MakeCitation(const FactRenderer& renderer, int n, const std::vector<Reference>& facts);

}  // namespace emptor::services
