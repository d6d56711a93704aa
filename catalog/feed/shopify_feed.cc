// Rows are kept until the handle changes, for images that come later belong to all variants.
#include "catalog/feed/shopify_feed.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "catalog/feed/fields.h"
#include "catalog/feed/product_builder.h"
#include "catalog/feed/table_parser.h"
#include "catalog/feed/table_row.h"
#include "catalog/feed/vocabulary.h"
#include "catalog/money.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

// The columns; each has its names in the older and the newer template.
enum Meaning : size_t {
  kHandle,
  kTitle,
  kBody,
  kVendor,
  kCategory,
  kType,
  kTags,
  kPublished,
  kStatus,
  kOption1Name,
  kOption1Value,
  kOption2Name,
  kOption2Value,
  kOption3Name,
  kOption3Value,
  kSku,
  kBarcode,
  kPrice,
  kCompareAt,
  kTracker,
  kQuantity,
  kPolicy,
  kGrams,
  kImage,
  kVariantImage,
  kGoogleCategory,
  kGender,
  kAgeGroup,
  kGoogleMpn,
  kCondition,
  kMeanings
};
constexpr std::array<std::array<View, 2>, kMeanings> kNames = {{
    {"handle", "url handle"},
    {"title", "title"},
    {"body (html)", "description"},
    {"vendor", "vendor"},
    {"product category", "product category"},
    {"type", "type"},
    {"tags", "tags"},
    {"published", "published on online store"},
    {"status", "status"},
    {"option1 name", "option1 name"},
    {"option1 value", "option1 value"},
    {"option2 name", "option2 name"},
    {"option2 value", "option2 value"},
    {"option3 name", "option3 name"},
    {"option3 value", "option3 value"},
    {"variant sku", "sku"},
    {"variant barcode", "barcode"},
    {"variant price", "price"},
    {"variant compare at price", "compare-at price"},
    {"variant inventory tracker", "inventory tracker"},
    {"variant inventory qty", "inventory quantity"},
    {"variant inventory policy", "continue selling when out of stock"},
    {"variant grams", "weight value (grams)"},
    {"image src", "product image url"},
    {"variant image", "variant image url"},
    {"google shopping / google product category", "google shopping / google product category"},
    {"google shopping / gender", "google shopping / gender"},
    {"google shopping / age group", "google shopping / age group"},
    {"google shopping / mpn", "google shopping / mpn"},
    {"google shopping / condition", "google shopping / condition"},
}};

constexpr size_t kNone = static_cast<size_t>(-1);
constexpr View kNoOption = "Default Title";

// The columns of one market: "Included / Canada", "Price / Canada", "Compare At Price / Canada".
struct Market {
  std::string name;
  size_t included = kNone, price = kNone, compared = kNone;
};

// The market of a column with one of these prefixes.
size_t* MarketColumn(View column, std::vector<Market>& markets) {
  constexpr std::array<std::pair<View, size_t Market::*>, 3> kBeginnings = {
      {{"included / ", &Market::included},
       {"price / ", &Market::price},
       {"compare at price / ", &Market::compared}}};
  for (const auto& [beginning, member] : kBeginnings) {
    if (!LowerName(column.substr(0, beginning.size() + 1)).starts_with(beginning)) continue;
    const View name = Trimmed(column.substr(beginning.size()));
    auto market = std::find_if(markets.begin(), markets.end(),
                               [&](const Market& each) { return each.name == name; });
    if (market == markets.end()) {
      market = markets.insert(markets.end(), Market{std::string(name)});
    }
    return &((*market).*member);
  }
  return nullptr;
}

size_t MeaningOf(View column) {
  const std::string name = LowerName(column);
  for (size_t i = 0; i < kMeanings; ++i) {
    if (name == kNames[i][0] || name == kNames[i][1]) return i;
  }
  return kNone;
}

// A record that outlives its call.
struct KeptRow {
  TableRecord place;     // lines, offset, fault; raw points into raw_text
  std::string raw_text;  // with that of the following image rows
  std::vector<std::string> cells;
  std::vector<std::string> images;  // of the following rows
};

class ShopifyReader final : public FeedReader {
 public:
  ShopifyReader(const FeedOptions& options, RowSink sink)
      : options_(options),
        sink_(std::move(sink)),
        builder_(options_),
        parser_('\0', [this](const TableRecord& record) { return TakeRecord(record); }) {}

  absl::Status Push(View bytes) override { return parser_.Push(bytes); }
  absl::Status Finish() override {
    if (absl::Status status = parser_.Finish(); !status.ok()) return status;
    return Flush();
  }
  FeedFormat format() const override { return FeedFormat::kShopifyCsv; }
  std::string_view preamble() const override { return preamble_; }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes;
    for (const Market& market : markets_) {
      const bool has_currency =
          std::any_of(options_.markets.begin(), options_.markets.end(),
                      [&](const MarketName& each) { return each.market == market.name; });
      if (has_currency || market.price == kNone) continue;
      notes.push_back(
          fmt::format("the prices of the market {} are left out: no mapping gives its currency",
                      Quoted(market.name)));
    }
    return notes;
  }

 private:
  absl::Status TakeRecord(const TableRecord& record) {
    if (names_.empty()) return TakeHeader(record);
    auto fault = FindFault(record, names_.size());
    const View handle = fault ? View() : Cell(record.cells, kHandle);
    if (!fault && handle.empty()) fault = "no handle";
    if (fault) {
      // It may belong to the handle, so it is reported with the handle's other rows.
      if (group_bytes_ > kMaxGroupBytes) {
        if (absl::Status status = Flush(); !status.ok()) return status;
      }
      rows_.push_back(KeepPlace(record));
      rows_.back().place.fault = *std::move(fault);
      return absl::OkStatus();
    }
    if (handle != handle_) {
      if (absl::Status status = Flush(); !status.ok()) return status;
      handle_ = std::string(handle);
      base_.assign(record.cells.begin(), record.cells.end());
      base_.resize(names_.size());
    } else if (group_bytes_ > kMaxGroupBytes && IsVariant(record)) {
      if (absl::Status status = Flush(); !status.ok()) return status;
    }
    Keep(record);
    return absl::OkStatus();
  }

  absl::Status TakeHeader(const TableRecord& record) {
    preamble_ = MakePreamble(record);
    meanings_.fill(kNone);
    for (size_t i = 0; i < record.cells.size(); ++i) {
      names_.emplace_back(Trimmed(record.cells[i]));
      const size_t meaning = MeaningOf(record.cells[i]);
      if (meaning != kNone && meanings_[meaning] == kNone) meanings_[meaning] = i;
      if (size_t* column = MarketColumn(names_.back(), markets_)) *column = i;
    }
    if (meanings_[kHandle] != kNone && record.fault.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("line {}: expected the columns of a Shopify product export, Handle among them",
                    record.line));
  }

  template <typename Cells>
  View Cell(const Cells& cells, size_t meaning) const {
    const size_t column = meanings_[meaning];
    return column < cells.size() ? Trimmed(cells[column]) : View();
  }

  bool IsVariant(const TableRecord& record) const {
    return std::any_of(kVariantCells.begin(), kVariantCells.end(),
                       [&](size_t meaning) { return !Cell(record.cells, meaning).empty(); });
  }

  // A row that only adds an image joins the row before it.
  void Keep(const TableRecord& record) {
    const auto& cells = record.cells;
    const View image = Cell(cells, kImage);
    if (!rows_.empty() && !IsVariant(record)) {
      group_bytes_ += record.raw.size();
      KeptRow& row = rows_.back();
      if (!image.empty() && row.images.size() < kMaxImages) row.images.emplace_back(image);
      row.place.end_line = record.end_line;
      row.place.end_offset = record.end_offset;
      const size_t room = FeedRow::kMaxRawBytes - row.raw_text.size();
      row.raw_text += fmt::format("\n{}", record.raw).substr(0, room);
      return;
    }
    KeptRow row = KeepPlace(record);
    row.cells.assign(cells.begin(), cells.end());
    if (!image.empty()) row.images.emplace_back(image);
    rows_.push_back(std::move(row));
  }

  KeptRow KeepPlace(const TableRecord& record) {
    group_bytes_ += record.raw.size() + sizeof(KeptRow);
    KeptRow row;
    row.place.line = record.line;
    row.place.end_line = record.end_line;
    row.place.end_offset = record.end_offset;
    row.raw_text = std::string(record.raw.substr(0, FeedRow::kMaxRawBytes));
    return row;
  }

  absl::Status Flush() {
    const std::vector<KeptRow> rows = std::exchange(rows_, {});
    group_bytes_ = 0;
    std::vector<View> images;
    for (const KeptRow& row : rows)
      images.insert(images.end(), row.images.begin(), row.images.end());
    images.resize(std::min<size_t>(images.size(), kMaxImages));
    std::vector<FeedRow> made;
    for (const KeptRow& row : rows) {
      TableRecord place = row.place;
      place.raw = row.raw_text;
      made.push_back(row.place.fault.empty() ? MakeRow(row, images)
                                             : MakeUnusableRow(place, row.place.fault));
      SetPlace(place, made.back());
    }
    GiveGroupText(rows, made);
    for (FeedRow& row : made) {
      if (absl::Status status = sink_(std::move(row)); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // A row that is unusable among others can only be retried together with them: they hold its title
  // and share its images.
  static void GiveGroupText(const std::vector<KeptRow>& rows, std::vector<FeedRow>& made) {
    const auto is_usable = [](const FeedRow& row) {
      return !std::holds_alternative<std::monostate>(row.record);
    };
    const auto usable = std::count_if(made.begin(), made.end(), is_usable);
    if (usable == 0 || usable == static_cast<ptrdiff_t>(made.size())) return;
    std::string text;
    for (const KeptRow& row : rows) {
      text += (text.empty() ? "" : "\n") + row.raw_text;
      if (text.size() >= FeedRow::kMaxRawBytes) return;
    }
    for (FeedRow& row : made) {
      if (!is_usable(row)) row.raw = text;
    }
  }

  FeedRow MakeRow(const KeptRow& row, const std::vector<View>& images) {
    AddShared();
    AddVariant(row);
    for (View image : images) builder_.Add({Field::kImage, {}}, "Image Src", image);
    AddOptions(row);
    if (!IsPublished()) builder_.Add({Field::kDelete, {}}, "Published", "true");
    return builder_.Finish();
  }

  void Add(Field field, size_t meaning, const std::vector<std::string>& cells) {
    const size_t column = meanings_[meaning];
    if (column < cells.size()) builder_.Add({field, {}}, names_[column], cells[column]);
  }
  void AddAttribute(const char* name, size_t meaning) {
    const size_t column = meanings_[meaning];
    if (column < base_.size()) {
      builder_.Add({Field::kAttribute, name}, names_[column], base_[column]);
    }
  }

  // Fields of the first row of the handle that hold for all its variants.
  void AddShared() {
    Add(Field::kTitle, kTitle, base_);
    Add(Field::kDescription, kBody, base_);
    Add(Field::kBrand, kVendor, base_);
    Add(Field::kCategory, kCategory, base_);
    Add(Field::kCategory, kType, base_);
    Add(Field::kCategory, kGoogleCategory, base_);
    Add(Field::kCondition, kCondition, base_);
    AddAttribute("tags", kTags);
    AddAttribute("gender", kGender);
    AddAttribute("age_group", kAgeGroup);
    // "Färg (product.metafields.shopify.color-pattern)"
    for (size_t i = 0; i < names_.size(); ++i) {
      const size_t metafield = names_[i].find(" (product.metafields.");
      if (metafield == std::string::npos || base_[i].empty()) continue;
      builder_.Add({Field::kAttribute, names_[i].substr(0, metafield)}, names_[i], base_[i]);
    }
  }

  void AddVariant(const KeptRow& row) {
    Add(Field::kGtin, kBarcode, row.cells);
    Add(Field::kMpn, kSku, row.cells);
    Add(Field::kMpn, kGoogleMpn, base_);
    Add(Field::kImage, kVariantImage, row.cells);
    if (const View grams = Cell(row.cells, kGrams); ParseCount(grams).value_or(0) > 0) {
      builder_.Add({Field::kAttribute, "weight"}, "Variant Grams", fmt::format("{} g", grams));
    }
    AddPrices(row);
    AddStock(row);
  }

  // A price below the one that it is compared with is a sale price.
  static bool IsReduced(View price, View compared, const std::string& currency) {
    // Shopify writes amounts with a point and without a currency; any currency serves to compare
    // them.
    const AmountStyle style{currency.empty() ? "USD" : currency, DecimalMark::kPoint};
    const auto low = ParseAmount(price, style);
    const auto high = ParseAmount(compared, style);
    return low.ok() && high.ok() && high->amount > low->amount;
  }

  void AddMarketPrices(const KeptRow& row) {
    const auto cell = [&](size_t column) {
      return column < row.cells.size() ? Trimmed(row.cells[column]) : View();
    };
    for (const Market& market : markets_) {
      const View price = cell(market.price);
      if (price.empty() || !ReadBool(cell(market.included)).value_or(true)) continue;
      for (const MarketName& place : options_.markets) {
        if (place.market != market.name) continue;
        const bool is_sale = IsReduced(price, cell(market.compared), place.currency);
        const size_t list = is_sale ? market.compared : market.price;
        builder_.AddRegionalPrice(names_[list], place.region, false, cell(list), place.currency);
        if (!is_sale) continue;
        builder_.AddRegionalPrice(names_[market.price], place.region, true, price, place.currency);
      }
    }
  }

  void AddPrices(const KeptRow& row) {
    AddMarketPrices(row);
    if (IsReduced(Cell(row.cells, kPrice), Cell(row.cells, kCompareAt), options_.currency)) {
      Add(Field::kPrice, kCompareAt, row.cells);
      Add(Field::kSalePrice, kPrice, row.cells);
    } else {
      Add(Field::kPrice, kPrice, row.cells);
    }
  }

  // Without a tracker it is always available; a shop may continue selling at zero stock.
  void AddStock(const KeptRow& row) {
    const View policy = Cell(row.cells, kPolicy);
    const View quantity = Cell(row.cells, kQuantity);
    if (Cell(row.cells, kTracker).empty() || quantity.empty()) return;
    const bool none = quantity.starts_with('-') || ParseCount(quantity) == 0;
    const bool goes_on = policy == "continue" || ReadBool(policy).value_or(false);
    if (none && goes_on) {
      builder_.Add({Field::kAvailability, {}}, "Variant Inventory Policy", "backorder");
    } else {
      Add(Field::kQuantity, kQuantity, row.cells);
    }
  }

  // The first row holds the option names; "Title: Default Title" is Shopify's way to say "none".
  void AddOptions(const KeptRow& row) {
    bool varies = false;
    for (const auto& [name, value] :
         {std::pair{kOption1Name, kOption1Value}, std::pair{kOption2Name, kOption2Value},
          std::pair{kOption3Name, kOption3Value}}) {
      const View option = Cell(row.cells, value);
      const View label = Cell(base_, name);
      if (option.empty() || option == kNoOption) continue;
      builder_.Add({Field::kOption, std::string(label.empty() ? View("option") : label)},
                   names_[meanings_[value]], option);
      varies = true;
    }
    const std::string id =
        ShopifyId(handle_, {Cell(row.cells, kOption1Value), Cell(row.cells, kOption2Value),
                            Cell(row.cells, kOption3Value)});
    builder_.Add({Field::kId, {}}, names_[meanings_[kHandle]], id);
    if (varies) builder_.Add({Field::kItemGroup, {}}, names_[meanings_[kHandle]], handle_);
  }

  bool IsPublished() const {
    const std::string status = LowerName(Cell(base_, kStatus));
    const auto published = ReadBool(Cell(base_, kPublished));
    return status != "draft" && status != "archived" && published.value_or(true);
  }

  static constexpr size_t kMaxImages = 32;
  static constexpr std::array<size_t, 4> kVariantCells = {kOption1Value, kSku, kPrice, kTitle};

  const FeedOptions options_;
  const RowSink sink_;
  ProductBuilder builder_;
  TableParser parser_;
  std::string preamble_;
  std::vector<std::string> names_;
  std::array<size_t, kMeanings> meanings_ = {};
  std::vector<Market> markets_;
  std::string handle_;
  std::vector<std::string> base_;  // the handle's first row
  std::vector<KeptRow> rows_;
  size_t group_bytes_ = 0;
};

}  // namespace

bool IsShopifyHeader(const std::vector<View>& columns) {
  std::array<bool, kMeanings> has = {};
  for (View column : columns) {
    const size_t meaning = MeaningOf(column);
    if (meaning != kNone) has[meaning] = true;
  }
  const bool body = has[kBody] || has[kOption1Value] || has[kPrice] || has[kImage];
  return has[kHandle] && has[kTitle] && body;
}

std::string ShopifyId(View handle, const std::array<View, 3>& options) {
  std::string id(handle);
  for (View option : options) {
    if (!option.empty() && option != kNoOption) id += fmt::format("-{}", option);
  }
  return id;
}

std::unique_ptr<FeedReader> MakeShopifyReader(const FeedOptions& options, RowSink sink) {
  return std::make_unique<ShopifyReader>(options, std::move(sink));
}

}  // namespace emptor::catalog
