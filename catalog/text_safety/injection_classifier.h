// Private to catalog/text_safety: words, features and weights of the injection classifier.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::catalog {

/// A class of words, such as {"harm", "kill murder ...", true}. The trainer reads the same table
/// from classifier_words.cc.
struct WordClass {
  std::string_view name;
  std::string_view words;  // separated by blanks
  bool stems = false;      // a word of four or more letters matches all words that begin with it
};
std::span<const WordClass> WordClasses();

inline constexpr size_t kClassifierBuckets = 1u << 14;

/// Weights [kClassifierBuckets] of the buckets, in units of `scale`, and the bias.
struct InjectionClassifier {
  std::vector<int8_t> weights;
  float scale = 0;
  float bias = 0;
};
const InjectionClassifier& TheInjectionClassifier();

/// The text folded for comparison: NFKC, case folding, no invisible characters, look-alike letters
/// of Greek and Cyrillic as Latin ones in words that mix scripts.
std::string FoldForClassifier(std::string_view text);

/// Words of each piece of a folded text, digits as 0 and "?" as a word; pieces are sentences, long
/// ones in overlapping windows of 24 words.
using Words = std::vector<std::string>;
std::vector<Words> SplitForClassifier(std::string_view folded);

/// Buckets of a piece's features, ascending, each once.
std::vector<uint16_t> ClassifierFeatures(const Words& words);

}  // namespace emptor::catalog
