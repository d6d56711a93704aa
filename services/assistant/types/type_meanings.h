// Which types of a shop's goods a message means that names none: by the vectors of the embedder.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "catalog/product.h"
#include "services/assistant/types/title_types.h"
#include "services/shop/shop_reader.h"

namespace emptor::services {

/// Some titles of each kind of goods that the shop has.
class TypeTitles {
 public:
  /// `named`: what its title names (NamesInTitle).
  void Add(const catalog::Product& product, const std::vector<TitleName>& named);
  /// By the canonical name of the type, or the last element of the category, folded.
  const std::map<std::string, std::vector<std::string>>& titles() const { return titles_; }

 private:
  void Add(const std::string& name, const std::string& title);

  std::map<std::string, std::vector<std::string>> titles_;
};

/// A kind of the shop's goods: a type of the lexicon, or the last element of a category, folded.
struct MeantKind {
  std::string name;
  double score = 0;  // similarity to a message, in standard deviations above the mean of all kinds
};

/// A vector for each kind of goods: the mean of its name's and of its titles'.
/// Immutable.
class TypeMeanings {
 public:
  /// Errors: those of the embedder.
  static absl::StatusOr<std::shared_ptr<const TypeMeanings>> Make(const ShopReader& shop,
                                                                  const TypeTitles& titles);

  /// All kinds, the nearest first. `query`: a vector of the same embedder. Empty: too few kinds to
  /// tell what is near.
  std::vector<MeantKind> Rank(std::span<const float> query) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<float>> vectors_;  // [names_.size()], of length 1
};

}  // namespace emptor::services
