// Builds a product from the fields of a feed. A value that cannot be read is left out and reported;
// nothing is guessed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/feed/amount.h"
#include "catalog/feed/feed_reader.h"
#include "catalog/feed/feed_row.h"
#include "catalog/feed/fields.h"
#include "catalog/product.h"

namespace emptor::catalog {

/// One shipping option, as text of the feed.
struct ShippingParts {
  std::string country;
  std::string region;
  std::string service;
  std::string price;
  std::string min_handling, max_handling, min_transit, max_transit;  // days
};

/// Invariant: a product that Finish gives passes ValidateProduct except for its description, which
/// still is the HTML of the feed: the importer makes it plain text and checks it. Thread-safety:
/// one thread at a time. Lifetime: the options outlive it.
class ProductBuilder {
 public:
  explicit ProductBuilder(const FeedOptions& options);

  /// `feed_name` names the field in problems. Blank values are ignored. Single fields keep their
  /// first value; images, categories, details and shipping accumulate.
  void Add(const FieldName& field, std::string_view feed_name, std::string_view value);
  /// A price in minor units instead of text.
  void AddPrice(Money price);
  void AddSalePrice(Money price);
  /// Makes the row unusable: it has a price that cannot be read. `why`: as of ParseAmount.
  void RefusePrice(std::string_view feed_name, const absl::Status& why);
  void AddShipping(std::string_view feed_name, const ShippingParts& parts);
  void AddDetail(std::string_view section, std::string_view name, std::string_view value);
  void AddProblem(std::string_view feed_name, std::string reason);
  /// A price for a region ("" for everywhere); with an empty currency, that of other amounts holds.
  void AddRegionalPrice(std::string_view feed_name, const std::string& region, bool is_sale,
                        std::string_view value, const std::string& currency = {});
  /// A count ("7"; negative counts as 0) or a word of availability; "not stocked" is ignored.
  void AddLocationStock(std::string_view feed_name, std::string_view location,
                        std::string_view value);
  void set_rating_best(double best) { rating_best_ = best; }
  /// Defaults for amounts of the row.
  const std::string& currency() const { return style_.currency; }
  DecimalMark decimal_mark() const { return style_.mark; }

  /// Returns id, record and problems (the reader adds lines and raw text) and resets the builder.
  /// With `patch` or options.patches the record is a ProductPatch of the fields that were added; no
  /// title is needed, and attributes are included only where a column mapping names them, because
  /// they replace all stored ones.
  FeedRow Finish(bool patch = false);

 private:
  struct Said {  // a value that depends on others
    std::string feed_name;
    std::string value;
  };
  struct SaidOfRegion {
    std::string region;
    std::string currency;
    std::optional<Said> price, sale_price;
  };
  bool Clean(std::string_view feed_name, std::string_view value, bool one_line);
  void SetText(std::string& target, std::string_view feed_name, size_t max_bytes, bool cut = false);
  void SetLink(std::string& target, std::string_view feed_name);
  std::string ReadLink(std::string_view feed_name, std::string_view value);
  void AddImages(std::string_view feed_name, bool list);
  void AddImage(std::string_view feed_name, std::string_view link);
  void AddCategory(std::string_view feed_name);
  void AddAttribute(std::string_view feed_name, std::string_view name, std::string_view value);
  void AddOption(std::string_view feed_name, std::string_view name);
  void AddShippingList(std::string_view feed_name);
  void AddDetailText(std::string_view feed_name, std::string_view detail);
  void AddDetailList(std::string_view feed_name);
  void SetGtin(std::string_view feed_name);
  void SetTime(std::optional<int64_t>& target, std::string_view feed_name, bool end);
  void SetWords(Field field, std::string_view feed_name);
  void SetNumbers(Field field, std::string_view feed_name);
  void SetId(std::string_view feed_name);
  void SetForms(Field field, std::string_view feed_name);
  bool SetTexts(Field field, std::string_view feed_name);
  void FinishPrices();
  void FinishRegionalPrices();
  void FinishSale(const Money& sale, const std::string& feed_name);
  void FinishRating();
  void FinishGroup();
  std::optional<Money> TakeAmount(const std::optional<Said>& said);
  std::vector<std::string> StatedFields() const;
  void Reset();

  const FeedOptions& options_;
  AmountStyle style_;

  std::string text_;  // the current value, cleaned
  Product product_;
  std::string id_name_;
  std::optional<Said> price_, sale_price_, rating_, rating_count_;
  std::optional<Money> exact_price_, exact_sale_price_;
  std::string sale_name_;
  std::optional<int64_t> sale_start_, sale_end_;
  std::vector<SaidOfRegion> regions_;
  std::string levels_;
  bool has_availability_ = false;
  bool has_quantity_ = false;
  bool has_stock_ = false;  // of some location
  bool has_condition_ = false;
  bool deleted_ = false;
  bool is_price_unusable_ = false;
  std::string lacks_currency_;
  bool too_many_images_ = false;
  double rating_best_ = 5;
  std::vector<FeedProblem> problems_;
};

}  // namespace emptor::catalog
