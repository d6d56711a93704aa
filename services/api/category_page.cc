// The list of a category as HTML.
#include "services/api/category_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "catalog/encoding/html.h"
#include "services/api/structured_data.h"

namespace emptor::services {
namespace {

using catalog::EscapeHtml;

/// Categories that a page links to at most: of a larger shop those with the most products.
constexpr size_t kMaxLinks = 60;
/// Cards whose pictures are in view at once.
constexpr size_t kFirstPictures = 4;

std::string CategoryLinks(const PageContext& page, const CategoryIndex& index,
                          const std::vector<std::string>& slugs) {
  if (slugs.empty()) return {};
  std::string items;
  for (size_t i = 0; i < std::min(slugs.size(), kMaxLinks); ++i) {
    const CategoryNode& node = *index.Find(slugs[i]);
    items += fmt::format("<li><a class=\"chip\" dir=\"auto\" href=\"{}\">{}</a></li>",
                         CategoryPath(slugs[i]), EscapeHtml(CrumbsOf(node.path).back().name));
  }
  return fmt::format(
      "<nav class=\"category-links\" aria-label=\"{}\"><ul class=\"chips\" role=\"list\">{}</ul>"
      "</nav>",
      page.words.categories, items);
}

std::string CardHtml(const PageContext& page, const ListedProduct& listed, bool is_first) {
  const catalog::Product& product = listed.shown.product;
  std::string body = fmt::format(
      "<span class=\"card-title\" dir=\"auto\"><a class=\"card-link\" href=\"{}\"{}>{}</a></span>",
      ProductPath(product.id),
      product.locale.empty() ? "" : fmt::format(" lang=\"{}\"", EscapeHtml(product.locale)),
      EscapeHtml(product.title));
  if (!product.brand.empty()) {
    body +=
        fmt::format("<span class=\"card-brand\" dir=\"auto\">{}</span>", EscapeHtml(product.brand));
  }
  body += fmt::format("<div class=\"card-buy\">{}</div>", PriceHtml(page, listed.shown.price));
  body += fmt::format("<div class=\"card-facts\">{}{}", RatingHtml(page, product),
                      StockHtml(page, product));
  if (listed.variants > 1) {
    body += fmt::format("<span class=\"card-variants\">{}: {}</span>", page.words.variants,
                        page.format.Count(static_cast<int64_t>(listed.variants)));
  }
  body += "</div>";
  return fmt::format(
      "<li class=\"cards-item\"><div class=\"card card-{}\">{}<div class=\"card-body\">{}</div>"
      "</div></li>\n",
      ToString(product.availability), PictureHtml(product, is_first), body);
}

std::string CardsHtml(const PageContext& page, const CategoryPage& category) {
  if (category.products.empty()) return fmt::format("<p>{}</p>", page.words.nothing_here);
  std::string items;
  for (size_t i = 0; i < category.products.size(); ++i) {
    items += CardHtml(page, category.products[i], i < kFirstPictures);
  }
  return fmt::format("<ul class=\"category-cards\" role=\"list\">\n{}</ul>", items);
}

std::string PagesHtml(const PageContext& page, const CategoryPage& category) {
  const size_t pages = PagesOf(category.total);
  if (pages < 2) return {};
  const auto link = [&](bool is_there, size_t number, const char* relation,
                        std::string_view words) {
    if (!is_there) return std::string("<span></span>");
    return fmt::format("<a class=\"button-quiet\" rel=\"{}\" href=\"{}\">{}</a>", relation,
                       CategoryPath(category.slug, number), words);
  };
  return fmt::format(
      "<nav class=\"category-pages\" aria-label=\"{}\">{}<span class=\"page-number\">{} "
      "<bdi>{} / {}</bdi></span>{}</nav>",
      page.words.pages, link(category.number > 1, category.number - 1, "prev", page.words.previous),
      page.words.page, category.number, pages,
      link(category.number < pages, category.number + 1, "next", page.words.next));
}

PageHead HeadOf(const PageContext& page, const CategoryPage& category,
                const std::vector<Crumb>& crumbs) {
  PageHead head;
  for (auto crumb = crumbs.rbegin(); crumb != crumbs.rend(); ++crumb) {
    head.title += (head.title.empty() ? "" : " · ") + crumb->name;
  }
  if (category.number > 1) head.title += fmt::format(" · {} {}", page.words.page, category.number);
  const std::string& name = crumbs.back().name;
  std::string titles;
  for (const ListedProduct& listed : category.products) {
    titles += (titles.empty() ? ": " : ", ") + listed.shown.product.title;
  }
  head.description = Summary(name + titles);
  if (!page.base_url.empty()) {
    head.canonical = CategoryUrl(page, category.slug, category.number);
    for (const ListedProduct& listed : category.products) {
      if (head.image.empty()) head.image = ImageUrl(page.base_url, listed.shown.product.image_link);
    }
  }
  if (category.number > 1) {
    head.previous = CategoryUrl(page, category.slug, category.number - 1);
  }
  if (category.number < PagesOf(category.total)) {
    head.next = CategoryUrl(page, category.slug, category.number + 1);
  }
  std::vector<ShownProduct> shown;
  for (const ListedProduct& listed : category.products) shown.push_back(listed.shown);
  head.json_ld.push_back(BreadcrumbJsonLd(page, crumbs));
  head.json_ld.push_back(ItemListJsonLd(
      page, name, shown, (category.number - 1) * kCategoryPageSize + 1, category.total));
  return head;
}

std::string Fill(const PageContext& page, std::string_view html, const PageHead& head,
                 std::string crumbs, std::string content) {
  const std::pair<std::string_view, std::string> values[] = {
      {"lang", std::string(page.words.language)},
      {"dir", page.words.right_to_left ? "rtl" : "ltr"},
      {"head", HeadHtml(head)},
      {"crumbs", std::move(crumbs)},
      {"brand", "Emptor"},
      {"assistant", std::string(page.words.assistant)},
      {"content", std::move(content)}};
  return FillTemplate(html, values);
}

}  // namespace

std::string CategoryPageHtml(const PageContext& page, const CategoryPage& category) {
  const CategoryNode& node = *category.index->Find(category.slug);
  const auto crumbs = CrumbsOf(node.path);
  std::string content = fmt::format(
      "<h1 class=\"category-title\" dir=\"auto\">{}</h1>\n<p class=\"category-count\">{}: {}</p>\n",
      EscapeHtml(crumbs.back().name), page.words.products,
      page.format.Count(static_cast<int64_t>(category.total)));
  content += CategoryLinks(page, *category.index, node.children);
  content += CardsHtml(page, category);
  content += PagesHtml(page, category);
  return Fill(page, category.html, HeadOf(page, category, crumbs), CrumbsHtml(page, crumbs, true),
              std::move(content));
}

std::string UnknownCategoryHtml(const PageContext& page, std::string_view html,
                                const CategoryIndex& index) {
  PageHead head;
  head.title = page.words.unknown_category;
  std::string content = fmt::format(
      "<div class=\"empty\"><h1>{}</h1><p>{}</p><a class=\"button\" href=\"/\">{}</a></div>\n{}",
      page.words.unknown_category, page.words.unknown_category_help, page.words.assistant,
      CategoryLinks(page, index, index.roots()));
  return Fill(page, html, head, "", std::move(content));
}

}  // namespace emptor::services
