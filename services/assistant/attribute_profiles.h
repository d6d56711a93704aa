// Which attributes each product of a shop states. Products of one type state the same ones, so in a
// shop without categories they tell which products are of a type whose titles do not say so.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "catalog/product.h"

namespace emptor::services {

/// Built by Add, then Finish; immutable after that. Memory: four bytes an attribute of a product.
/// Thread-safety: const methods.
class AttributeProfiles {
 public:
  void Add(const catalog::Product& product);
  void Finish();

  /// Records state enough attributes to tell types apart by them.
  bool is_rich() const;

  /// Of `seeds`, products whose titles name a type, those that state what most of the better
  /// described ones state: no "notebook service". All of them where profiles cannot tell.
  std::vector<std::string> Typical(const std::vector<std::string>& seeds) const;

  /// Other products that state the same attributes, found from one product to the next.
  /// Linear in the shop for each of a few rounds.
  std::vector<std::string> Similar(const std::vector<std::string>& typical) const;

 private:
  struct Profile {
    std::string id;
    std::vector<uint32_t> keys;  // ascending
    double norm = 0;
  };
  using Rows = std::vector<uint32_t>;  // into profiles_

  Rows RowsOf(const std::vector<std::string>& ids) const;
  /// The better described half.
  Rows CoreOf(const Rows& rows) const;
  double Cosine(const Profile& a, const Profile& b) const;
  /// False where no profile of only `stated` attributes can be kSame near.
  bool MayBeNear(const Profile& profile, const std::vector<bool>& stated) const;
  /// The greatest cosine to one of the rows.
  double Nearest(const Profile& profile, const Rows& rows) const;
  /// The second greatest: of a profile that is among the rows, the nearest other one.
  double SecondNearest(const Profile& profile, const Rows& rows) const;

  std::unordered_map<std::string, uint32_t> key_numbers_;
  std::vector<double> weights_;  // by key: squared inverse document frequency
  std::vector<Profile> profiles_;
  std::unordered_map<std::string, uint32_t> rows_;  // by id
  size_t stated_ = 0;
};

}  // namespace emptor::services
