// The number by which a product compares with others of its type, wherever its record states it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"

namespace emptor::services {

/// Where records state what goods compare by.
struct RankSource {
  std::string key;    // the attribute
  double factor = 1;  // base units in one of its numbers that name no unit
};

/// "px", a unit of resolutions that compare by width times height, and "extent", the least of
/// width, height and depth (data/lexicon/ranks.txt).
inline constexpr std::string_view kPixels = "px", kExtent = "extent";

/// Every record has it, or lacks it for good reason: price, rating, reviews.
inline bool IsLiveRank(std::string_view key) {
  return key == "price" || key == "rating" || key == "reviews";
}

/// What a superlative or comparative ranks by.
struct RankedKey {
  std::string key;  // "price", "rating", "reviews", a key of the schema, or "title": titles alone
  bool is_least = false;
  bool is_superlative = false;  // "the lightest", not "lighter"
  int place = 1;                // 2: "the second cheapest"
  int count = 0;                // "the three lightest", "top 3"; 0: the message counts none
  /// Of an adjective whose property depends on the type (rank_senses.h): the attributes that state
  /// it, the best first, and the base unit in which titles do; empty: `key` alone states it.
  std::vector<RankSource> sources = {};
  std::string base = {};
  double least = 0, most = 0;          // base units that goods of the type have; 0: not known
  std::string label = {};              // names the property where `key` does not: "capacity"
  std::vector<std::string> said = {};  // words of the message that rank, and demand nothing else

  bool is_of_type() const { return !sources.empty() || !base.empty(); }
  bool is_live() const { return IsLiveRank(key); }
};

/// The key of a value that a title states.
inline constexpr std::string_view kTitleKey = "title";

struct RankedValue {
  double number = 0;
  std::string key;        // the attribute that states it, or "title"
  std::string text = {};  // of a title: "85\""
};

/// Where an attribute and the title disagree, the title counts. Nothing: the record does not say.
/// Pure; linear in the title.
std::optional<RankedValue> RankedValueOf(const catalog::Product& product, const RankedKey& rank,
                                         int64_t now_unix, const catalog::Market& market);

/// "1920 x 1080": the product; nothing where the text has none. Pure.
std::optional<double> PixelsOf(std::string_view text);

/// A value that begins with its number states one: "24x RJ-45", not "IEC-320 C14". Pure.
bool BeginsWithNumber(std::string_view value);

}  // namespace emptor::services
