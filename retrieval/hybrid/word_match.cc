// Compiles query words, then combines their record sets.
#include "retrieval/hybrid/word_match.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "retrieval/hybrid/expansion.h"

namespace emptor::retrieval {
namespace {

using Sets = std::vector<RecordSet>;

const QueryTerm* FindTerm(std::span<const QueryTerm> terms, std::string_view text) {
  const auto found = std::find_if(terms.begin(), terms.end(),
                                  [text](const QueryTerm& term) { return term.text == text; });
  return found == terms.end() ? nullptr : &*found;
}

/// From U+2E80 on, scripts write no blanks: each of their terms counts as a word.
bool IsScriptWithoutBlanks(std::string_view term) {
  return std::any_of(term.begin(), term.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0xE2; });
}

class WordSplitter {
 public:
  WordSplitter(const Analyzer& analyzer, const RewrittenQuery& rewritten,
               std::span<const QueryTerm> own, WordQuery& query)
      : analyzer_(analyzer), rewritten_(rewritten), own_(own), query_(query) {}

  void Run() {
    constexpr std::string_view kBlank = " \t\r\n";
    std::string_view rest = rewritten_.text;
    while (true) {
      const size_t begin = rest.find_first_not_of(kBlank);
      if (begin == std::string_view::npos) break;
      rest.remove_prefix(begin);
      const size_t end = std::min(rest.find_first_of(kBlank), rest.size());
      AddChunk(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    std::stable_sort(query_.words.begin(), query_.words.end(),
                     [](const QueryWord& a, const QueryWord& b) { return a.weight > b.weight; });
  }

 private:
  void AddChunk(std::string_view chunk) {
    std::vector<QueryTerm> terms;
    for (const std::string& text : analyzer_.Analyze(chunk, TextRole::kRecord)) {
      const QueryTerm* term = FindTerm(own_, text);
      if (term == nullptr) continue;  // it occurs nowhere, or says nothing
      if (IsScriptWithoutBlanks(text)) {
        AddWord({{*term}});
      } else {
        terms.push_back(*term);
      }
    }
    if (terms.empty()) return;
    // Of several terms the first is the whole word, the others are its parts.
    std::vector<std::vector<QueryTerm>> readings = {{terms.front()}};
    if (terms.size() > 1) readings.emplace_back(terms.begin() + 1, terms.end());
    AddWord(std::move(readings));
  }

  void AddWord(std::vector<std::vector<QueryTerm>> readings) {
    QueryWord word{std::move(readings), 0};
    const size_t own = word.readings.size();
    for (size_t r = 0; r < own; ++r) {
      for (size_t t = 0; t < word.readings[r].size(); ++t) {
        const QueryTerm term = word.readings[r][t];
        word.weight = std::max(word.weight, term.weight);
        for (const Expansion& expansion : rewritten_.expansions) {
          if (expansion.of == term.text && word.readings[r].size() == 1) {
            word.readings.push_back({{expansion.term, 1}});
          }
        }
      }
    }
    query_.words.push_back(std::move(word));
  }

  const Analyzer& analyzer_;
  const RewrittenQuery& rewritten_;
  const std::span<const QueryTerm> own_;
  WordQuery& query_;
};

Sets WithPhrases(const WordQuery& query, std::span<const SegmentView> views, Sets allowed) {
  if (query.phrases.empty()) return allowed;
  for (size_t v = 0; v < views.size(); ++v) {
    allowed[v] = MatchPhrases(views[v].segment->lexical, query.phrases, &allowed[v]);
  }
  return allowed;
}

/// The allowed records of one segment that hold the word.
RecordSet MatchWord(const QueryWord& word, const InvertedIndex& index, const RecordSet& allowed) {
  RecordSet any(allowed.size());
  for (const auto& reading : word.readings) {
    RecordSet all = allowed;
    for (const QueryTerm& term : reading) all = FindMatched(index, {&term, 1}, &all);
    all.ForEach([&any](uint32_t record) { any.Insert(record); });
  }
  return any;
}

}  // namespace

WordQuery CompileWords(const Analyzer& analyzer, const RewrittenQuery& rewritten,
                       std::string_view typed, std::span<const SegmentView> views) {
  std::vector<const InvertedIndex*> indexes;
  for (const SegmentView& view : views) indexes.push_back(&view.segment->lexical);
  WordQuery query;
  query.phrases = CompilePhrases(analyzer, typed);
  const std::vector<QueryTerm> own = CompileQuery(analyzer, rewritten.text, indexes);
  query.terms = Expand(own, rewritten.expansions, 1, indexes).terms;
  WordSplitter(analyzer, rewritten, own, query).Run();
  return query;
}

std::vector<RecordSet> MatchAnyWord(const WordQuery& query, std::span<const SegmentView> views,
                                    std::vector<RecordSet> allowed) {
  Sets matched = WithPhrases(query, views, std::move(allowed));
  for (size_t v = 0; v < views.size(); ++v) {
    matched[v] = FindMatched(views[v].segment->lexical, query.terms, &matched[v]);
  }
  return matched;
}

std::vector<RecordSet> MatchEveryWord(const WordQuery& query, std::span<const SegmentView> views,
                                      std::vector<RecordSet> allowed) {
  Sets matched = MatchAnyWord(query, views, std::move(allowed));
  for (const QueryWord& word : query.words) {
    Sets fewer;
    size_t count = 0;
    for (size_t v = 0; v < views.size(); ++v) {
      fewer.push_back(MatchWord(word, views[v].segment->lexical, matched[v]));
      count += fewer.back().count();
    }
    if (count > 0) matched = std::move(fewer);
  }
  return matched;
}

}  // namespace emptor::retrieval
