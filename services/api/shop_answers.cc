// Searches, records and comparisons of a shop.
#include "services/api/shop_answers.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "catalog/validation.h"
#include "services/api/reply_codec.h"
#include "services/api/search_cursor.h"
#include "services/api/search_reply.h"
#include "services/grounding/relaxation_text.h"
#include "services/shop/shop_directory.h"

namespace emptor::services {
namespace {

/// What a cursor is bound to: the search and the shop (empty: the default one).
uint64_t FingerprintIn(std::string_view shop, uint64_t search) {
  return shop.empty() || shop == kDefaultShop ? search : search ^ HashOfText(shop) * 0x10001;
}

/// `where`: the field that holds the id.
absl::StatusOr<ShownProduct> FindShown(const ShopReader& shop, std::string_view id,
                                       std::string_view where, const catalog::Market& market,
                                       int64_t now_unix) {
  const auto missing = [&] {
    return absl::NotFoundError(fmt::format("{}: no such product", where));
  };
  if (!catalog::IsValidId(id)) return missing();
  auto product = shop.FindProduct(id);
  if (!product.ok()) return product.status();
  if (!*product) return missing();
  const catalog::PayablePrice price = catalog::ComputePayablePrice(**product, now_unix, market);
  return ShownProduct{**std::move(product), price};
}

void WriteShown(const ShownProduct& shown, std::string_view base_url, catalog::JsonWriter& writer) {
  writer.BeginObject();
  WriteProductReply(shown.product, shown.price, base_url, writer);
  writer.EndObject();
}

void WriteRow(const ComparisonRow& row, catalog::JsonWriter& writer) {
  writer.BeginObject().Member("name", row.name).Key("values").BeginArray();
  for (const std::optional<std::string>& value : row.values) {
    if (value) {
      writer.String(*value);
    } else {
      writer.Null();
    }
  }
  writer.EndArray().Member("differs", row.differs).EndObject();
}

}  // namespace

absl::StatusOr<SearchAnswer> AnswerSearch(const ShopReader& shop, SearchBody body,
                                          const AnswerContext& context) {
  SearchCursor cursor{
      .fingerprint = FingerprintIn(context.shop, body.fingerprint), .relaxed = {}, .shown = {}};
  if (!body.cursor.empty()) {
    auto decoded = DecodeSearchCursor(body.cursor, cursor.fingerprint);
    if (!decoded.ok()) return decoded.status();
    cursor = *std::move(decoded);
    body.input.shown = cursor.shown;
    body.input.relaxed = cursor.relaxed;
  }
  auto result = SearchProducts(shop, body.input);
  if (!result.ok()) return result.status();
  SearchReplyOptions reply{.base_url = context.base_url,
                           .locale = body.locale.empty() ? LanguageOfWords(body.input.query)
                                                         : std::string_view(body.locale),
                           .now_unix = context.now_unix,
                           .shown_before = cursor.shown.size(),
                           .next_cursor = {}};
  if (result->has_more) {
    cursor.relaxed = result->relaxed;
    for (const FoundProduct& found : result->items) cursor.shown.push_back(ShownKey(found.hit));
    reply.next_cursor = EncodeSearchCursor(cursor);
  }
  SearchAnswer answer;
  answer.json = SearchReplyJson(*result, reply);
  answer.market = MarketOf(result->applied);
  answer.now_unix = context.now_unix;
  answer.result = *std::move(result);
  return answer;
}

absl::StatusOr<ProductAnswer> AnswerProduct(const ShopReader& shop, std::string_view id,
                                            const catalog::Market& market,
                                            const AnswerContext& context) {
  auto shown = FindShown(shop, id, "id", market, context.now_unix);
  if (!shown.ok()) return shown.status();
  catalog::JsonWriter writer;
  WriteShown(*shown, context.base_url, writer);
  return ProductAnswer{*std::move(shown), writer.Take()};
}

absl::StatusOr<ComparisonAnswer> AnswerComparison(const ShopReader& shop,
                                                  std::span<const std::string> ids,
                                                  const catalog::Market& market,
                                                  std::string_view locale,
                                                  const AnswerContext& context) {
  ComparisonAnswer answer;
  catalog::JsonWriter writer;
  writer.BeginObject().Key("products").BeginArray();
  for (size_t i = 0; i < ids.size(); ++i) {
    auto shown = FindShown(shop, ids[i], fmt::format("ids[{}]", i), market, context.now_unix);
    if (!shown.ok()) return shown.status();
    WriteShown(*shown, context.base_url, writer);
    answer.products.push_back(*std::move(shown));
  }
  answer.rows = CompareRecords(answer.products, locale);
  writer.EndArray().Key("rows").BeginArray();
  for (const ComparisonRow& row : answer.rows) WriteRow(row, writer);
  answer.json = writer.EndArray().EndObject().Take();
  return answer;
}

}  // namespace emptor::services
