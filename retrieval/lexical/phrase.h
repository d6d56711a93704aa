// Quoted phrases: consecutive words in order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/lexical/inverted_index.h"
#include "retrieval/record_set.h"
#include "retrieval/text/analyzer.h"

namespace emptor::retrieval {

/// The readings of a phrase: as written, and with its compounds split ("noise-cancelling" also
/// matches "noise cancelling"; both match a record with "noise-cancelling"). Stop words are not
/// indexed: "case for iphone" matches "case iphone".
struct Phrase {
  using Terms = std::vector<std::string>;
  std::vector<Terms> readings;  // any of
};

/// The texts between quotes ("...", and the pairs of other scripts). A quote opens before a word
/// and closes after one, so 27" is an inch mark. An unclosed quote is ignored.
std::vector<std::string_view> FindQuoted(std::string_view query);

/// The phrases of a query; those without a term are left out.
std::vector<Phrase> CompilePhrases(const Analyzer& analyzer, std::string_view query);

/// The allowed records that contain every phrase, each within one field. Chinese, Japanese and
/// Korean are indexed as words and overlapping pairs of characters: there a phrase requires all of
/// its terms in one field, and the pairs imply the order. `allowed` null: every record.
RecordSet MatchPhrases(const InvertedIndex& index, std::span<const Phrase> phrases,
                       const RecordSet* allowed);

}  // namespace emptor::retrieval
