// Which records the words of a query match, without a ranking: for facets and for sorted lists.
#pragma once

#include <span>
#include <vector>

#include "retrieval/lexical/phrase.h"
#include "retrieval/lexical/ranked_search.h"
#include "retrieval/record_set.h"
#include "retrieval/segment/segment.h"
#include "retrieval/words/query_rewriter.h"

namespace emptor::retrieval {

/// One word of the query. A record holds it with all terms of any reading: "noise-cancelling" as
/// one term or as its two parts, "heater" also as "heating".
struct QueryWord {
  std::vector<std::vector<QueryTerm>> readings;
  float weight = 0;  // of its rarest term
};

/// A query against the segments of one snapshot. Words that occur nowhere are left out.
struct WordQuery {
  std::vector<QueryTerm> terms;  // with the expansions: what the ranked search looks for
  std::vector<QueryWord> words;  // the rarest first
  std::vector<Phrase> phrases;   // of what was typed between quotes
};

WordQuery CompileWords(const Analyzer& analyzer, const RewrittenQuery& rewritten,
                       std::string_view typed, std::span<const SegmentView> views);

/// The records of `allowed` ([views]) that hold any of the terms and every phrase: those that the
/// ranked search finds by words.
std::vector<RecordSet> MatchAnyWord(const WordQuery& query, std::span<const SegmentView> views,
                                    std::vector<RecordSet> allowed);

/// The records of `allowed` that hold every word and every phrase. A word that no record has beside
/// the rarer ones is passed over: no word makes a list empty but the rarest.
std::vector<RecordSet> MatchEveryWord(const WordQuery& query, std::span<const SegmentView> views,
                                      std::vector<RecordSet> allowed);

}  // namespace emptor::retrieval
