// The reply of a search.
#include "services/api/search_reply.h"

#include "services/api/filter_codec.h"
#include "services/api/reply_codec.h"
#include "services/grounding/relaxation_text.h"

namespace emptor::services {
namespace {

using catalog::JsonWriter;

std::string_view WhyOf(const retrieval::Hit& hit) {
  if (hit.pinned) return "pinned";
  if (hit.lexical_score > 0) return hit.vector_score > 0 ? "words and meaning" : "words";
  return hit.vector_score > 0 ? "meaning" : "filters";
}

/// The variants that the item represents, including itself.
void WriteVariants(const retrieval::Hit& hit, JsonWriter& writer) {
  if (hit.variants < 2) return;
  writer.Key("variants").BeginObject().Member("count", hit.variants).Key("ids").BeginArray();
  for (const std::string& id : hit.variant_ids) writer.String(id);
  writer.EndArray().EndObject();
}

void WriteItems(const ProductSearchResult& result, const SearchReplyOptions& options,
                JsonWriter& writer) {
  const catalog::Market market = MarketOf(result.applied);
  writer.Key("items").BeginArray();
  int n = static_cast<int>(options.shown_before);
  for (const FoundProduct& found : result.items) {
    ProductCard card;
    card.n = ++n;
    card.product = found.product;
    card.shown = catalog::ComputePayablePrice(found.product, options.now_unix, market);
    card.score = found.hit.score;
    card.why = WhyOf(found.hit);
    writer.BeginObject();
    WriteCardMembers(card, options.base_url, writer);
    WriteVariants(found.hit, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

/// The corrected query.
void WriteCorrected(const ProductSearchResult& result, JsonWriter& writer) {
  if (result.corrections.empty()) return;
  writer.Key("corrected").BeginObject();
  writer.Member("from", result.asked_text).Member("to", result.searched_text);
  writer.Key("words").BeginArray();
  for (const retrieval::Correction& word : result.corrections) {
    writer.BeginObject().Member("from", word.from).Member("to", word.to).EndObject();
  }
  writer.EndArray().EndObject();
}

void WriteValues(std::string_view name, const std::vector<retrieval::FacetValue>& values,
                 JsonWriter& writer) {
  if (values.empty()) return;
  writer.Key(name).BeginArray();
  for (const retrieval::FacetValue& value : values) {
    writer.BeginObject().Member("value", value.value).Member("count", value.count).EndObject();
  }
  writer.EndArray();
}

void WriteFacets(const retrieval::Facets& facets, JsonWriter& writer) {
  writer.Key("facets").BeginObject();
  WriteValues("brands", facets.brands, writer);
  WriteValues("categories", facets.categories, writer);
  if (!facets.prices.empty()) {
    writer.Key("price").BeginArray();
    for (const retrieval::FacetPriceRange& range : facets.prices) {
      writer.BeginObject();
      if (range.min) writer.Member("min", *range.min);
      if (range.max) writer.Member("max", *range.max);
      writer.Member("currency", facets.currency).Member("count", range.count).EndObject();
    }
    writer.EndArray();
  }
  if (!facets.ratings.empty()) {
    writer.Key("min_rating").BeginArray();
    for (const retrieval::FacetRating& rating : facets.ratings) {
      writer.BeginObject().Member("value", rating.min).Member("count", rating.count).EndObject();
    }
    writer.EndArray();
  }
  WriteValues("availability", facets.availability, writer);
  WriteValues("condition", facets.conditions, writer);
  WriteValues("colors", facets.colors, writer);
  writer.Key("attributes").BeginArray();
  for (const retrieval::FacetAttribute& attribute : facets.attributes) {
    writer.BeginObject().Member("name", attribute.name);
    WriteValues("values", attribute.values, writer);
    writer.EndObject();
  }
  writer.EndArray().EndObject();
}

}  // namespace

catalog::Market MarketOf(const retrieval::Filter& applied) {
  return {applied.region.empty() ? catalog::RegionOfLocale(applied.locale) : applied.region,
          applied.currency};
}

std::string SearchReplyJson(const ProductSearchResult& result, const SearchReplyOptions& options) {
  JsonWriter writer;
  writer.BeginObject();
  WriteItems(result, options, writer);
  writer.Key("filters");
  WriteFilter(result.applied, writer);
  WriteRelaxedMembers(result.asked, result.relaxed,
                      ExplainRelaxation(result.asked, result.relaxed, options.locale), writer);
  WriteCorrected(result, writer);
  if (result.words_only) writer.Member("words_only", true);
  if (result.facets) WriteFacets(*result.facets, writer);
  writer.Member("total", result.total);
  if (!options.next_cursor.empty()) writer.Member("next_cursor", options.next_cursor);
  writer.EndObject();
  return writer.Take();
}

}  // namespace emptor::services
