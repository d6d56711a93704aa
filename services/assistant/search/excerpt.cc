// Sentences, their weights, and the window with the most of them.
#include "services/assistant/search/excerpt.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalog/documents/text_units.h"
#include "retrieval/text/analyzer.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using catalog::TextUnit;
using Terms = std::set<std::string>;

constexpr catalog::HalfWords kLongestSentence = 240;
constexpr size_t kLongTerm = 8;  // bytes

struct Sentence {
  size_t begin = 0, end = 0;
  Terms terms;  // those of the question
};

Terms TermsOf(std::string_view text, retrieval::TextRole role) {
  static const auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return {};
  const std::vector<std::string> terms = analyzer->Analyze(text, role);
  return {terms.begin(), terms.end()};
}

std::vector<Sentence> SentencesOf(std::string_view text, const Terms& wanted) {
  std::vector<Sentence> sentences;
  for (const TextUnit& unit : catalog::SplitIntoUnits(text, kLongestSentence)) {
    Sentence& sentence = sentences.emplace_back(Sentence{unit.begin, unit.end, {}});
    const std::string_view words = text.substr(unit.begin, unit.end - unit.begin);
    for (const std::string& term : TermsOf(words, retrieval::TextRole::kRecord)) {
      if (wanted.contains(term)) sentence.terms.insert(term);
    }
  }
  return sentences;
}

class WindowFinder {
 public:
  WindowFinder(const std::vector<Sentence>& sentences, size_t max_bytes)
      : sentences_(sentences), max_bytes_(max_bytes) {
    std::map<std::string, size_t> counts;
    for (const Sentence& sentence : sentences) {
      for (const std::string& term : sentence.terms) ++counts[term];
    }
    const auto all = static_cast<double>(sentences.size());
    for (const auto& [term, count] : counts) {
      // Short words are common: "may" says less than "earphones".
      const auto length = static_cast<double>(std::min(term.size(), kLongTerm));
      weights_[term] = length * std::log(1 + all / static_cast<double>(count));
    }
  }

  /// The shortest of the best windows, then as much around it as there is room for.
  Excerpt Find() {
    double best = 0;
    for (size_t first = 0; first < sentences_.size(); ++first) {
      Terms seen;
      double score = 0;
      for (size_t last = first; last < sentences_.size() && Fits(first, last); ++last) {
        for (const std::string& term : sentences_[last].terms) {
          if (seen.insert(term).second) score += weights_[term];
        }
        const bool is_shorter = score == best && last - first < last_ - first_;
        if (score > best || (score > 0 && is_shorter)) {
          best = score;
          first_ = first;
          last_ = last;
        }
      }
    }
    while (last_ + 1 < sentences_.size() && Fits(first_, last_ + 1)) ++last_;
    while (first_ > 0 && Fits(first_ - 1, last_)) --first_;
    return {sentences_[first_].begin, sentences_[last_].end};
  }

 private:
  /// A window of one sentence always fits: it is cut.
  bool Fits(size_t first, size_t last) const {
    return first == last || sentences_[last].end - sentences_[first].begin <= max_bytes_;
  }

  const std::vector<Sentence>& sentences_;
  const size_t max_bytes_;
  std::map<std::string, double> weights_;
  size_t first_ = 0, last_ = 0;
};

}  // namespace

Excerpt FindExcerpt(std::string_view text, std::string_view question, size_t max_bytes) {
  if (text.size() <= max_bytes) return {0, text.size()};
  const auto sentences = SentencesOf(text, TermsOf(question, retrieval::TextRole::kQuery));
  if (sentences.empty()) return {0, CutAtWord(text, max_bytes).size()};
  Excerpt excerpt = WindowFinder(sentences, max_bytes).Find();
  const std::string_view found = text.substr(excerpt.begin, excerpt.end - excerpt.begin);
  excerpt.end = excerpt.begin + CutAtWord(found, max_bytes).size();
  return excerpt;
}

}  // namespace emptor::services
