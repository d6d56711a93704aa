// What each product of a shop is: by its title, and by what products with the same attributes are.
// Products of one kind state the same attributes, so in a shop without categories they tell what a
// title does not say ("HP 8540w 39.6 cm"), or says wrongly ("USB hub with keyboard").
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "catalog/product.h"
#include "services/assistant/types/product_types.h"
#include "services/assistant/types/title_types.h"

namespace emptor::services {

/// Built by Add, then Finish; immutable after that. Memory: some 200 bytes a product.
/// Thread-safety: const methods.
class ProductKinds {
 public:
  void Add(const catalog::Product& product);

  /// Compares each product with those that state the same rare attributes.
  void Finish();

  /// Records state enough attributes to tell kinds apart by them.
  bool is_rich() const;

  size_t product_count() const { return rows_.size(); }

  /// Products that state the attribute. Known once finished.
  size_t CountOf(const std::string& attribute) const;

  /// The products of the type or of a kind of it, in the order in which they were added.
  std::vector<std::string> Members(const ProductType& type) const;

 private:
  struct Row {
    std::string id;
    std::vector<uint32_t> keys;   // attributes, ascending
    std::vector<uint32_t> names;  // in its title and in attributes such as "type"
    uint32_t kind = 0;            // into kinds_; 0: not known
    uint32_t otherwise = 0;       // where no neighbour tells
    double norm = 0;
  };
  struct Neighbour {
    uint32_t row = 0;
    float cosine = 0;
  };
  using Neighbours = std::vector<Neighbour>;  // the nearest first

  /// What a product's neighbours are and what their titles name.
  struct Votes {
    std::map<uint32_t, double> shares;  // by kind or other name in the title, from 0 to 1
    std::map<uint32_t, double> kinds;   // by kind alone, not normalised
    std::map<uint32_t, size_t> named;   // neighbours by the names in their titles
    size_t neighbours = 0;
    float nearest = 0;  // cosine of the nearest neighbour of a known kind
  };

  /// The name, and what else it may mean; the kind, unless it is ambiguous.
  void AddName(const TitleName& name, Row& row);
  uint32_t KindNumber(std::string_view name, bool is_type);
  /// Rounds of votes, until kinds have spread from one product to the next.
  void Vote();
  void WeighKeys();
  /// Rows by the attributes that tell kinds apart.
  std::vector<std::vector<uint32_t>> RowsByKey() const;
  void KeepNearest(Neighbours& found) const;
  std::vector<Neighbours> FindNeighbours() const;
  Votes CountVotes(const Neighbours& neighbours) const;
  uint32_t KindAfter(const Row& row, const Votes& votes) const;

  std::unordered_map<std::string, uint32_t> key_numbers_;
  std::vector<uint32_t> key_counts_;  // by key: products that state it
  std::vector<double> weights_;       // by key: squared inverse document frequency
  std::unordered_map<std::string, uint32_t> kind_numbers_;
  std::vector<std::string> kinds_ = {""};  // names of types; of accessories in brackets
  std::vector<uint32_t> named_;            // by kind: products whose titles name it
  std::vector<Row> rows_;
  size_t stated_ = 0;
};

}  // namespace emptor::services
