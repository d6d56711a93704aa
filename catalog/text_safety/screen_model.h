// Private to the injection screen: words, features and weights of its linear model.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::catalog {

/// One class of words that matter, e.g. {"harm", "kill murder ...", true}. The trainer reads the
/// same table out of screen_words.cc.
struct WordClass {
  std::string_view name;
  std::string_view words;  // parted by blanks
  bool stems = false;      // a word of four letters or more stands for all that begin with it
};
std::span<const WordClass> WordClasses();

inline constexpr size_t kScreenBuckets = 1u << 14;

/// Weights [kScreenBuckets] of the buckets, in units of `scale`, and the bias.
struct ScreenModel {
  std::vector<int8_t> weights;
  float scale = 0;
  float bias = 0;
};
const ScreenModel& TheScreenModel();

/// The text folded for comparison: NFKC, case folding, no invisible characters, look-alike letters
/// of Greek and Cyrillic as Latin ones in words that mix scripts.
std::string FoldForScreen(std::string_view text);

/// Words of each piece of a folded text, digits as 0 and "?" as a word; pieces are sentences, long
/// ones in overlapping windows of 24 words.
using Words = std::vector<std::string>;
std::vector<Words> SplitForScreen(std::string_view folded);

/// Buckets of a piece's features, ascending, each once.
std::vector<uint16_t> ScreenFeatures(const Words& words);

}  // namespace emptor::catalog
