// The categories of a shop by the names that stand in addresses: /c/kitchen--kettles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace emptor::services {

/// The name of a category path in an address: its elements in letters and digits of any script,
/// lower case, words joined by "-" and elements by "--". "Kitchen > Food Storage" is
/// "kitchen--food-storage". Empty for a path without letters and digits. Pure.
std::string CategorySlug(std::string_view path);

/// The path itself and what is above it, outermost first.
struct Crumb {
  std::string name;  // as the catalog writes it
  std::string slug;
  std::string own_slug;  // of its last element

  friend bool operator==(const Crumb&, const Crumb&) = default;
};
std::vector<Crumb> CrumbsOf(std::string_view path);

struct CategoryNode {
  std::string path;                   // as most of its products write it
  std::vector<std::string> spelled;   // every path of this slug
  std::vector<std::string> children;  // slugs, most products first
  size_t products = 0;                // its own and those below it
  size_t own_products = 0;            // those of this path itself
};

/// Categories of a filter (retrieval::Filter) that let every product of a node pass.
struct CategorySelection {
  std::vector<std::string> categories;
  bool is_exact = true;  // else products of another category of that name pass, too
};

/// A tree over the paths of a profile. Immutable.
class CategoryIndex {
 public:
  CategoryIndex() = default;
  /// "Kitchen > Kettles" -> products.
  explicit CategoryIndex(const std::unordered_map<std::string, size_t>& categories);

  /// Null where no product has such a category.
  const CategoryNode* Find(std::string_view slug) const;
  /// The slug that `name` stands for where it is not a slug itself: a path ("Kitchen > Kettles"),
  /// another spelling, or the name of one innermost category ("Kettles"). Empty: none.
  std::string Resolve(std::string_view name) const;
  /// A filter compares single names with every element of a path: an outermost category whose name
  /// is below another one, too, is selected by the categories below it. REQUIRES: Find(slug).
  CategorySelection Select(std::string_view slug) const;
  /// Slugs of the outermost categories, most products first.
  const std::vector<std::string>& roots() const { return roots_; }

 private:
  void Add(std::string_view path, size_t products);
  void SortByProducts(std::vector<std::string>& slugs) const;

  std::unordered_map<std::string, CategoryNode> nodes_;
  std::unordered_map<std::string, std::string> leaves_;  // slug of the last element -> slug
  std::unordered_set<std::string> inner_;                // slugs of elements that are below another
  std::vector<std::string> roots_;
};

}  // namespace emptor::services
