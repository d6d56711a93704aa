// Quoted phrases: words that must stand side by side, in order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/lexical/inverted_index.h"
#include "retrieval/record_set.h"
#include "retrieval/text/analyzer.h"

namespace emptor::retrieval {

/// The words of a phrase as the index may hold them: as it was written, and with its compounds
/// apart ("noise-cancelling" also finds "noise cancelling"; a record's own "noise-cancelling" is
/// found by both). Stop words count neither here nor in the index: "case for iphone" finds "case
/// iphone".
struct Phrase {
  using Terms = std::vector<std::string>;
  std::vector<Terms> readings;  // any of
};

/// What stands between quotes ("...", and the pairs of other scripts). A quote opens before a word
/// and closes behind one, so 27" is an inch mark. A quote that nothing closes means nothing.
std::vector<std::string_view> FindQuoted(std::string_view query);

/// The phrases of a query; those without a term are left out.
std::vector<Phrase> CompilePhrases(const Analyzer& analyzer, std::string_view query);

/// The allowed records that hold every phrase, each within one field. Chinese, Japanese and Korean
/// are indexed as words and overlapping pairs of characters: there a phrase asks for all of its
/// terms in one field, and the pairs keep the order. `allowed` null: every record.
RecordSet MatchPhrases(const InvertedIndex& index, std::span<const Phrase> phrases,
                       const RecordSet* allowed);

}  // namespace emptor::retrieval
