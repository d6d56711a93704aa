// Which departments a shop's words and categories belong to: tells the tablets of a computer shop
// from those of a pharmacy, though both titles end with the same name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/types/product_types.h"

namespace emptor::services {

struct TitleName;

/// Naive Bayes over the words of titles, their categories and attributes; classes are the
/// departments of data/lexicon/types.txt, learned from titles whose names leave no doubt (of
/// several words), then from those that agree with them. Built by Add, then Finish; immutable after
/// that. Memory: the words of the titles until Finish, then 60 bytes a word that three titles hold.
/// Thread-safety: const methods.
class Departments {
 public:
  void Add(const catalog::Product& product);
  /// `names`: those that NamesInTitle finds in its title.
  void Add(const catalog::Product& product, const std::vector<TitleName>& names);
  void Finish();

  /// The shop has enough titles to tell departments apart.
  bool is_learned() const { return !counts_.empty(); }

  /// False where title and categories speak of another department than the type's: no evidence
  /// speaks for any.
  bool MayHold(const catalog::Product& product, const ProductType& type) const;

  /// True where title and attributes speak of toys, and the type is none: a doll's chair is named
  /// as chairs are.
  bool IsToyOf(const catalog::Product& product, const ProductType& type) const;

 private:
  static constexpr size_t kMaxDepartments = 16;
  using FeatureId = uint32_t;
  using Counts = std::array<float, kMaxDepartments>;

  enum class Kind : uint8_t { kWord, kCategory, kAttribute };

  struct Row {
    size_t begin = 0, end = 0;  // into features_
    uint8_t department = 0;     // of the name in its title
    bool is_plain = false;      // the name has several words
  };

  FeatureId Intern(const std::string& feature);
  void CountRows(const std::vector<bool>& counted);
  /// How much better the best department explains words and categories than `department`.
  double Margin(std::vector<FeatureId> features, size_t department) const;
  /// Those of the product that were learned, without the words of its name.
  std::vector<FeatureId> KnownFeatures(const catalog::Product& product,
                                       const std::vector<std::string>& named) const;

  std::unordered_map<std::string, FeatureId> ids_;
  std::vector<Kind> kinds_;          // by feature
  std::vector<FeatureId> features_;  // of the titles, until Finish
  std::vector<Row> rows_;            // until Finish
  std::vector<Counts> counts_;       // by feature: titles of each department that hold it
  Counts totals_ = {};               // words and categories of each department
  Counts attribute_totals_ = {};
};

}  // namespace emptor::services
