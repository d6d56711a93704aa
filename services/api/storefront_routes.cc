// Handlers of the product page and the category page.
#include "services/api/storefront_routes.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "services/api/api_errors.h"
#include "services/api/category_page.h"
#include "services/api/product_page.h"
#include "services/api/submit.h"
#include "services/shop/search_input.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;

void RespondError(Exchange& exchange, const absl::Status& status) {
  exchange.Respond(MakeErrorResponse(status, exchange.request().id));
}

/// The number of ?page=; 0 for one that is no number. The first page has none.
size_t PageNumber(const Request& request) {
  const std::string_view text = request.Query("page");
  if (text.empty()) return 1;
  size_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : 0;
}

class StorefrontHandlers {
 public:
  StorefrontHandlers(ShopRoutesOptions options, ShopRoutesParts parts)
      : options_(std::move(options)), parts_(std::move(parts)) {}

  void ProductPage(Exchange& exchange, std::string_view id) const {
    const StaticFile* html = parts_.pages.Find("/p/");
    auto found = catalog::IsValidId(id)
                     ? parts_.shop.FindProduct(id)
                     : absl::StatusOr<std::optional<catalog::Product>>(std::nullopt);
    if (!found.ok()) return RespondError(exchange, found.status());
    if (html == nullptr) return RespondError(exchange, absl::NotFoundError("id: no such product"));
    services::ProductPage product{.html = html->body, .now_unix = parts_.now_unix()};
    product.is_missing = !found->has_value();
    std::optional<ShownProduct> shown;
    // A caller who may not read the record gets the page without it, as its script does.
    if (*found && exchange.may_read()) {
      const auto price = catalog::ComputePayablePrice(**found, product.now_unix);
      shown = ShownProduct{**std::move(found), price};
      product.shown = &*shown;
    }
    // An old link shows the shopper a page that says so, not JSON.
    Respond(exchange, product.is_missing ? 404 : 200,
            [&](const PageContext& page) { return ProductPageHtml(page, product); });
  }

  void CategoryPage(Exchange& exchange, std::string_view name) const {
    const StaticFile* html = parts_.pages.Find("/c/");
    if (html == nullptr) return RespondError(exchange, absl::NotFoundError("no such file"));
    const auto index = Index();
    const size_t number = PageNumber(exchange.request());
    if (index->Find(name) == nullptr) {
      const std::string slug = index->Resolve(name);
      if (!slug.empty()) return Redirect(exchange, slug, number);
      return RespondUnknown(exchange, *html, *index);
    }
    services::CategoryPage category{.html = html->body, .slug = name, .index = index.get()};
    category.number = number;
    if (absl::Status read = ReadPage(category); !read.ok()) return RespondError(exchange, read);
    // The profile still counts categories whose products are gone.
    const bool is_empty = category.total == 0;
    if (is_empty || number == 0 || number > PagesOf(category.total)) {
      return RespondUnknown(exchange, *html, *index);
    }
    Respond(exchange, 200,
            [&](const PageContext& page) { return CategoryPageHtml(page, category); });
  }

  WorkerPool& workers() const { return parts_.workers; }

 private:
  /// Answers with the page that `write` makes, in the language of the reader.
  template <typename Write>
  void Respond(Exchange& exchange, int status, const Write& write) const {
    const Request& request = exchange.request();
    const PageWords& words = ChoosePageWords(request.Header("accept-language"));
    // European digits in every language, as the page's scripts write them.
    const FactFormatter format(std::string(words.language) + "-u-nu-latn");
    const std::string base_url = BaseUrl(options_.public_url, request);
    const StaticFile file = MakePageFile(write(PageContext{base_url, words, format}));
    Response response = MakeFileResponse(file, request, PagePolicy(options_, parts_.shop), status);
    response.headers.emplace_back("Content-Language", words.language);
    for (auto& [name, value] : response.headers) {
      if (name == "Vary") value += ", Accept-Language";
    }
    exchange.Respond(std::move(response));
  }

  void RespondUnknown(Exchange& exchange, const StaticFile& html,
                      const CategoryIndex& index) const {
    Respond(exchange, 404,
            [&](const PageContext& page) { return UnknownCategoryHtml(page, html.body, index); });
  }

  /// Another spelling leads to the one address of the category.
  void Redirect(Exchange& exchange, const std::string& slug, size_t number) const {
    Response response;
    response.status = 301;
    response.content_type = "";
    response.headers.emplace_back("Location", CategoryPath(slug, number));
    // What a name stands for changes with the catalog.
    response.headers.emplace_back("Cache-Control", "no-cache");
    AddSecurityHeaders(response);
    exchange.Respond(std::move(response));
  }

  /// The products of the category's page: those that can be bought first, then by popularity, one
  /// of each item group.
  absl::Status ReadPage(services::CategoryPage& category) const {
    retrieval::SearchRequest request;
    request.browse = true;
    request.group_variants = true;
    auto selection = category.index->Select(category.slug);
    request.filter.categories = std::move(selection.categories);
    request.limit = static_cast<int>(kMaxShownProducts);
    request.currency = parts_.shop.profile()->currency;
    auto found = parts_.shop.SearchProducts(request);
    if (!found.ok()) return found.status();
    if (!selection.is_exact) {
      std::erase_if(found->hits, [&](const retrieval::Hit& hit) {
        return !IsBelow(hit.id, category.slug) &&
               std::none_of(hit.variant_ids.begin(), hit.variant_ids.end(),
                            [&](const auto& id) { return IsBelow(id, category.slug); });
      });
    }
    category.total = found->hits.size();
    const size_t begin = (std::max<size_t>(category.number, 1) - 1) * kCategoryPageSize;
    for (size_t i = begin; i < std::min(begin + kCategoryPageSize, category.total); ++i) {
      const retrieval::Hit& hit = found->hits[i];
      auto product = parts_.shop.FindProduct(hit.id);
      if (!product.ok()) return product.status();
      if (!*product) continue;
      const auto price = catalog::ComputePayablePrice(**product, parts_.now_unix());
      category.products.push_back({{**std::move(product), price}, hit.variants});
    }
    return absl::OkStatus();
  }

  /// Whether a product has a category of that slug, or one below it.
  bool IsBelow(const std::string& id, std::string_view slug) const {
    const auto product = parts_.shop.FindProduct(id);
    if (!product.ok() || !*product) return false;
    return std::any_of((*product)->categories.begin(), (*product)->categories.end(),
                       [&](const std::string& path) {
                         const auto crumbs = CrumbsOf(path);
                         return std::any_of(crumbs.begin(), crumbs.end(),
                                            [&](const Crumb& crumb) { return crumb.slug == slug; });
                       });
  }

  /// Of the profile as it is now; made again when its categories have changed.
  std::shared_ptr<const CategoryIndex> Index() const {
    auto profile = parts_.shop.profile();
    std::shared_ptr<const ShopProfile> known;
    {
      const std::lock_guard lock(mutex_);
      if (profile == profile_) return index_;
      known = profile_;
    }
    // Two threads may make the same index; a large one takes too long for a lock.
    const bool is_same = known != nullptr && known->categories == profile->categories;
    auto made = is_same ? nullptr : std::make_shared<const CategoryIndex>(profile->categories);
    const std::lock_guard lock(mutex_);
    if (is_same && known != profile_) return index_;  // another thread made it meanwhile
    if (made != nullptr) index_ = std::move(made);
    profile_ = std::move(profile);
    return index_;
  }

  const ShopRoutesOptions options_;
  const ShopRoutesParts parts_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const ShopProfile> profile_;  // guarded by mutex_
  mutable std::shared_ptr<const CategoryIndex> index_ =
      std::make_shared<const CategoryIndex>();  // guarded by mutex_
};

}  // namespace

ContentPolicy PagePolicy(const ShopRoutesOptions& options, const ShopReader& shop) {
  if (options.image_hosts) return {*options.image_hosts};
  return {AllowedImageHosts(shop.profile()->image_hosts)};
}

std::vector<Route> MakeStorefrontRoutes(const ShopRoutesOptions& options,
                                        const ShopRoutesParts& parts) {
  const auto handlers = std::make_shared<const StorefrontHandlers>(options, parts);
  return {CountingReaders({"GET", "/p/{id}", Access::kOpen,
                           [handlers](const ExchangePtr& exchange, std::string_view id) {
                             SubmitOrRefuse(handlers->workers(), exchange,
                                            [handlers, exchange, id = std::string(id)] {
                                              handlers->ProductPage(*exchange, id);
                                            });
                           }}),
          {"GET", "/c/{category}", Access::kAsk,
           [handlers](const ExchangePtr& exchange, std::string_view name) {
             SubmitOrRefuse(handlers->workers(), exchange,
                            [handlers, exchange, name = std::string(name)] {
                              handlers->CategoryPage(*exchange, name);
                            });
           }}};
}

}  // namespace emptor::services
