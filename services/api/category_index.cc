// Slugs of category paths, and the tree of them.
#include "services/api/category_index.h"

#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"

namespace emptor::services {
namespace {

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> ElementsOf(std::string_view path) {
  std::vector<std::string_view> elements;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('>', at), path.size());
    const std::string_view element = Trimmed(path.substr(at, end - at));
    if (!element.empty()) elements.push_back(element);
    at = end + 1;
  }
  return elements;
}

std::string ElementSlug(std::string_view element) {
  std::string slug = retrieval::FoldWords(element);
  std::replace(slug.begin(), slug.end(), ' ', '-');
  return slug;
}

}  // namespace

std::vector<Crumb> CrumbsOf(std::string_view path) {
  std::vector<Crumb> crumbs;
  std::string slug;
  for (const std::string_view element : ElementsOf(path)) {
    const std::string own = ElementSlug(element);
    if (own.empty()) continue;
    slug += (slug.empty() ? "" : "--") + own;
    crumbs.push_back({std::string(element), slug, own});
  }
  return crumbs;
}

std::string CategorySlug(std::string_view path) {
  const auto crumbs = CrumbsOf(path);
  return crumbs.empty() ? std::string() : crumbs.back().slug;
}

CategoryIndex::CategoryIndex(const std::unordered_map<std::string, size_t>& categories) {
  // In order, so that equal counts have equal trees.
  std::vector<std::pair<std::string_view, size_t>> sorted(categories.begin(), categories.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  for (const auto& [path, products] : sorted) Add(path, products);
  for (auto& [slug, node] : nodes_) SortByProducts(node.children);
  SortByProducts(roots_);
}

void CategoryIndex::Add(std::string_view path, size_t products) {
  std::string above, spelled;
  const auto crumbs = CrumbsOf(path);
  for (const Crumb& crumb : crumbs) {
    spelled += (spelled.empty() ? "" : " > ") + crumb.name;
    const auto [found, is_new] = nodes_.try_emplace(crumb.slug);
    CategoryNode& node = found->second;
    if (is_new) {
      node.path = spelled;
      (above.empty() ? roots_ : nodes_.at(above).children).push_back(crumb.slug);
      leaves_.try_emplace(crumb.own_slug, crumb.slug);
    }
    const auto& known = node.spelled;
    if (std::find(known.begin(), known.end(), spelled) == known.end()) {
      node.spelled.push_back(spelled);
    }
    node.products += products;
    if (!above.empty()) inner_.insert(crumb.own_slug);
    above = crumb.slug;
  }
  if (!above.empty()) nodes_.at(above).own_products += products;
}

void CategoryIndex::SortByProducts(std::vector<std::string>& slugs) const {
  std::stable_sort(slugs.begin(), slugs.end(), [this](const auto& a, const auto& b) {
    return nodes_.at(a).products > nodes_.at(b).products;
  });
}

const CategoryNode* CategoryIndex::Find(std::string_view slug) const {
  const auto found = nodes_.find(std::string(slug));
  return found == nodes_.end() ? nullptr : &found->second;
}

CategorySelection CategoryIndex::Select(std::string_view slug) const {
  const CategoryNode& node = *Find(slug);
  // The slug of an outermost category is that of its one element: no element has "--".
  if (!inner_.contains(std::string(slug))) return {.categories = node.spelled};
  CategorySelection selection{.categories = {}, .is_exact = node.own_products == 0};
  if (!selection.is_exact) selection.categories = node.spelled;
  for (const std::string& child : node.children) {
    const auto& paths = nodes_.at(child).spelled;
    selection.categories.insert(selection.categories.end(), paths.begin(), paths.end());
  }
  return selection;
}

std::string CategoryIndex::Resolve(std::string_view name) const {
  std::string path(name);
  for (size_t at = 0; (at = path.find("--", at)) != std::string::npos;) path.replace(at, 2, ">");
  std::string slug = CategorySlug(path);
  if (nodes_.contains(slug)) return slug;
  const auto leaf = leaves_.find(slug);
  return leaf == leaves_.end() ? std::string() : leaf->second;
}

}  // namespace emptor::services
