// Boolean matching of query words, without a ranking: for facets and sorted retrieval.
#pragma once

#include <span>
#include <vector>

#include "retrieval/lexical/phrase.h"
#include "retrieval/lexical/ranked_search.h"
#include "retrieval/record_set.h"
#include "retrieval/segment/segment.h"
#include "retrieval/words/query_rewriter.h"

namespace emptor::retrieval {

/// One word of the query. A record has it when it has all terms of any reading: "noise-cancelling"
/// as one term or as its two parts, "heater" also as "heating".
struct QueryWord {
  std::vector<std::vector<QueryTerm>> readings;
  float weight = 0;  // of its rarest term
};

/// A query compiled for the segments of one snapshot. Words that occur nowhere are left out.
struct WordQuery {
  std::vector<QueryTerm> terms;  // with the expansions, as in the ranked search
  std::vector<QueryWord> words;  // the rarest first
  std::vector<Phrase> phrases;   // quoted in the query
};

WordQuery CompileWords(const Analyzer& analyzer, const RewrittenQuery& rewritten,
                       std::string_view typed, std::span<const SegmentView> views);

/// The records of `allowed` ([views]) that have any of the terms and every phrase: those that the
/// ranked search matches by words.
std::vector<RecordSet> MatchAnyWord(const WordQuery& query, std::span<const SegmentView> views,
                                    std::vector<RecordSet> allowed);

/// The records of `allowed` that have every word and every phrase. Words are applied from the
/// rarest on, and a word that would leave no record is skipped, so only the rarest can empty the
/// result.
std::vector<RecordSet> MatchEveryWord(const WordQuery& query, std::span<const SegmentView> views,
                                      std::vector<RecordSet> allowed);

}  // namespace emptor::retrieval
