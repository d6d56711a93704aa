// Measures of ranked retrieval against graded judgments.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace emptor::testing {

/// Grades by record id; 0 is irrelevant. A record without a grade counts as 0.
using Grades = std::map<std::string, int>;

inline int GradeOf(const Grades& grades, const std::string& id) {
  const auto found = grades.find(id);
  return found == grades.end() ? 0 : found->second;
}

inline double DiscountedGain(int grade, size_t rank_from_0) {
  return (std::pow(2.0, grade) - 1) / std::log2(static_cast<double>(rank_from_0) + 2);
}

/// nDCG@k with gain 2^grade - 1 and discount log2(rank + 1); 0 when nothing is relevant.
/// Järvelin, Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques".
inline double NdcgAt(size_t k, std::span<const std::string> ranking, const Grades& grades) {
  std::vector<int> ideal;
  for (const auto& [id, grade] : grades) ideal.push_back(grade);
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  double best = 0;
  double gained = 0;
  for (size_t i = 0; i < std::min(k, ideal.size()); ++i) best += DiscountedGain(ideal[i], i);
  for (size_t i = 0; i < std::min(k, ranking.size()); ++i) {
    gained += DiscountedGain(GradeOf(grades, ranking[i]), i);
  }
  return best > 0 ? gained / best : 0;
}

/// Share of the records graded above 0 that are among the first k.
inline double RecallAt(size_t k, std::span<const std::string> ranking, const Grades& grades) {
  size_t relevant = 0;
  size_t found = 0;
  for (const auto& [id, grade] : grades) relevant += grade > 0 ? 1 : 0;
  for (size_t i = 0; i < std::min(k, ranking.size()); ++i) {
    found += GradeOf(grades, ranking[i]) > 0 ? 1 : 0;
  }
  return relevant > 0 ? static_cast<double>(found) / static_cast<double>(relevant) : 0;
}

/// Share of the first k that somebody has judged: how much of nDCG@k is knowledge.
inline double JudgedAt(size_t k, std::span<const std::string> ranking, const Grades& grades) {
  const size_t n = std::min(k, ranking.size());
  size_t judged = 0;
  for (size_t i = 0; i < n; ++i) judged += grades.count(ranking[i]);
  return n > 0 ? static_cast<double>(judged) / static_cast<double>(n) : 0;
}

}  // namespace emptor::testing
