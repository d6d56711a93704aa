// Plain BM25, exhaustive.
#include "retrieval/eval/frozen_baseline.h"

#include <algorithm>
#include <cmath>

namespace emptor::retrieval {
namespace {

constexpr double kK1 = 0.9;
constexpr double kB = 0.4;

void StripPlural(std::string& word) {
  if (word.size() > 4 && word.ends_with("ies")) {
    word.replace(word.size() - 3, 3, "y");
  } else if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) {
    word.pop_back();
  }
}

}  // namespace

std::vector<std::string> FrozenBm25::WordsOf(std::string_view text) const {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (word.empty()) return;
    if (options_.strip_plurals) StripPlural(word);
    words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else {
      end_word();
    }
  }
  end_word();
  return words;
}

void FrozenBm25::Add(const catalog::Product& product) {
  std::string text = product.title;
  if (options_.description) text += ' ' + product.description;
  if (options_.brand) text += ' ' + product.brand;
  const std::vector<std::string> words = WordsOf(text);
  const auto record = static_cast<uint32_t>(ids_.size());
  ids_.push_back(product.id);
  lengths_.push_back(static_cast<uint32_t>(words.size()));
  total_length_ += words.size();
  for (const std::string& word : words) {
    std::vector<Posting>& list = postings_[word];
    if (list.empty() || list.back().record != record) list.push_back({record, 0});
    ++list.back().frequency;
  }
}

std::vector<RankedId> FrozenBm25::Search(std::string_view query, size_t limit) const {
  const auto records = static_cast<double>(ids_.size());
  const double average = std::max(1.0, static_cast<double>(total_length_) / std::max(1.0, records));
  std::vector<double> scores(ids_.size(), 0.0);
  for (const std::string& word : WordsOf(query)) {
    const auto found = postings_.find(word);
    if (found == postings_.end()) continue;
    const auto df = static_cast<double>(found->second.size());
    const double idf = std::log1p((records - df + 0.5) / (df + 0.5));
    for (const Posting& posting : found->second) {
      const double tf = posting.frequency;
      const double norm = 1 - kB + kB * lengths_[posting.record] / average;
      scores[posting.record] += idf * tf * (kK1 + 1) / (tf + kK1 * norm);
    }
  }
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > 0) order.push_back(i);
  }
  const size_t kept = std::min(limit, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](uint32_t a, uint32_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                    });
  std::vector<RankedId> best;
  for (size_t i = 0; i < kept; ++i) best.push_back({ids_[order[i]], scores[order[i]]});
  return best;
}

}  // namespace emptor::retrieval
