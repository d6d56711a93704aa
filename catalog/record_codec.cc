// A record is a version byte and then fields in ascending order: tag byte, length varint, payload.
// Absent fields are left out. The decoder re-encodes nothing: order, lengths and values are checked
// so strictly that every accepted text is the one that the encoder writes.
#include "catalog/record_codec.h"

#include <bit>
#include <cstring>

#include "absl/status/status.h"
#include "catalog/record_bytes.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

static_assert(std::endian::native == std::endian::little, "doubles are copied in memory order");

constexpr char kFirstVersion = 1;
constexpr char kEncodingVersion = 2;
constexpr size_t kCurrencyBytes = 3;

enum class ProductTag : uint8_t {
  kId = 1,
  kTitle,
  kDescription,
  kBrand,
  kGtin,
  kMpn,
  kCategory,
  kPrice,
  kSalePrice,
  kSaleDates,
  kAvailability,
  kCondition,
  kLink,
  kImageLink,
  kAdditionalImageLink,
  kRating,
  kAttribute,
  kItemGroupId,
  kLocale,
  kUpdatedAt,  // the last of version 1
  kOption,
  kRegionalPrice,
  kShipping,
  kStock,
  kPopularity,
  kTrust,
  kQuarantine,
};

enum class DocumentTag : uint8_t {
  kId = 1,
  kKind,
  kTitle,
  kText,
  kLink,
  kLocale,
  kVersion,
  kUpdatedAt,  // the last of version 1
  kProductId,
  kTrust,
  kQuarantine,
  kPages,
};

constexpr int LastTagOfVersion1(ProductTag) { return static_cast<int>(ProductTag::kUpdatedAt); }
constexpr int LastTagOfVersion1(DocumentTag) { return static_cast<int>(DocumentTag::kUpdatedAt); }

std::string EncodeDates(const TimeRange& range) {
  std::string payload(1, static_cast<char>((range.start ? 1 : 0) | (range.end ? 2 : 0)));
  if (range.start) AppendInteger(*range.start, payload);
  if (range.end) AppendInteger(*range.end, payload);
  return payload;
}

std::string EncodeRating(const Rating& rating) {
  std::string payload(sizeof(double), '\0');
  std::memcpy(payload.data(), &rating.value, sizeof(double));
  AppendInteger(rating.count, payload);
  return payload;
}

std::string EncodeAttribute(const Attribute& attribute) {
  std::string payload;
  AppendSized(attribute.name, payload);
  return payload + attribute.value;
}

std::string EncodeRegionalPrice(const RegionalPrice& price) {
  std::string payload;
  AppendSized(price.region, payload);
  AppendAmount(price.price, payload);
  payload += static_cast<char>((price.sale_price ? 1 : 0) | (price.sale_price_effective ? 2 : 0));
  if (price.sale_price) AppendAmount(*price.sale_price, payload);
  if (price.sale_price_effective) payload += EncodeDates(*price.sale_price_effective);
  return payload;
}

std::string EncodeShipping(const Shipping& shipping) {
  std::string payload;
  AppendSized(shipping.region, payload);
  AppendSized(shipping.service, payload);
  AppendAmount(shipping.price, payload);
  payload += static_cast<char>((shipping.min_days ? 1 : 0) | (shipping.max_days ? 2 : 0));
  if (shipping.min_days) AppendInteger(*shipping.min_days, payload);
  if (shipping.max_days) AppendInteger(*shipping.max_days, payload);
  return payload;
}

std::string EncodeStock(const LocationStock& stock) {
  std::string payload;
  AppendSized(stock.location, payload);
  payload += static_cast<char>(stock.availability);
  payload += static_cast<char>(stock.quantity ? 1 : 0);
  if (stock.quantity) AppendInteger(*stock.quantity, payload);
  return payload;
}

void EncodeMerchantFields(const Product& product, Encoder& out) {
  for (const Attribute& option : product.options) {
    out.Field(ProductTag::kOption, EncodeAttribute(option));
  }
  for (const RegionalPrice& price : product.regional_prices) {
    out.Field(ProductTag::kRegionalPrice, EncodeRegionalPrice(price));
  }
  for (const Shipping& shipping : product.shipping) {
    out.Field(ProductTag::kShipping, EncodeShipping(shipping));
  }
  for (const LocationStock& stock : product.stock) {
    out.Field(ProductTag::kStock, EncodeStock(stock));
  }
  if (product.popularity) out.Integer(ProductTag::kPopularity, *product.popularity);
  if (product.trust != Trust::kShop) out.Field(ProductTag::kTrust, ToString(product.trust));
  out.Text(ProductTag::kQuarantine, product.quarantine);
}

/// The first place, then steps.
std::string EncodePages(const std::vector<uint32_t>& pages) {
  std::string payload;
  uint32_t previous = 0;
  for (const uint32_t place : pages) {
    AppendVarint(place - previous, payload);
    previous = place;
  }
  return payload;
}

Money DecodeAmount(Decoder& payload) {
  Money money;
  money.amount = payload.Integer();
  money.currency = payload.Bytes(kCurrencyBytes);
  return money;
}

TimeRange DecodeDates(Decoder& payload) {
  TimeRange range;
  const unsigned present = payload.Flags(2);
  if ((present & 1u) != 0) range.start = payload.Integer();
  if ((present & 2u) != 0) range.end = payload.Integer();
  return range;
}

Rating DecodeRating(Decoder& payload) {
  Rating rating;
  const std::string_view bits = payload.Bytes(sizeof(double));
  if (bits.size() == sizeof(double)) std::memcpy(&rating.value, bits.data(), sizeof(double));
  rating.count = payload.Integer();
  return rating;
}

Attribute DecodeAttribute(Decoder& payload) {
  Attribute attribute;
  attribute.name = payload.Bytes(payload.Varint());
  attribute.value = payload.Rest();
  return attribute;
}

RegionalPrice DecodeRegionalPrice(Decoder& payload) {
  RegionalPrice price;
  price.region = payload.Sized();
  price.price = DecodeAmount(payload);
  const unsigned present = payload.Flags(2);
  if ((present & 1u) != 0) price.sale_price = DecodeAmount(payload);
  if ((present & 2u) != 0) price.sale_price_effective = DecodeDates(payload);
  return price;
}

Shipping DecodeShipping(Decoder& payload) {
  Shipping shipping;
  shipping.region = payload.Sized();
  shipping.service = payload.Sized();
  shipping.price = DecodeAmount(payload);
  const unsigned present = payload.Flags(2);
  if ((present & 1u) != 0) shipping.min_days = payload.Integer();
  if ((present & 2u) != 0) shipping.max_days = payload.Integer();
  return shipping;
}

LocationStock DecodeStock(Decoder& payload) {
  LocationStock stock;
  stock.location = payload.Sized();
  stock.availability = static_cast<Availability>(payload.Flags(2));
  if (payload.Flags(1) != 0) stock.quantity = payload.Integer();
  return stock;
}

template <typename Enum>
Enum DecodeName(Decoder& outer, std::string_view payload,
                std::optional<Enum> (*parse)(std::string_view)) {
  const std::optional<Enum> value = parse(payload);
  if (!value) outer.Fail();
  return value.value_or(Enum{});
}

// The shop's own word is left out by the encoder.
Trust DecodeTrust(Decoder& outer, std::string_view payload) {
  const Trust trust = DecodeName(outer, payload, ParseTrust);
  if (trust == Trust::kShop) outer.Fail();
  return trust;
}

// A document without pages has no such field.
void SetPages(Decoder& outer, std::string_view payload, std::vector<uint32_t>& pages) {
  Decoder steps(payload);
  uint64_t place = 0;
  if (payload.empty()) outer.Fail();
  while (steps.ok() && !steps.at_end()) {
    const uint64_t step = steps.Varint();
    if (step > UINT32_MAX || place + step > UINT32_MAX) steps.Fail();
    place += step;
    pages.push_back(static_cast<uint32_t>(place));
  }
  if (!steps.ok()) outer.Fail();
}

// Text fields that are empty are left out by the encoder, so an empty one is damage.
void SetText(Decoder& outer, std::string_view payload, std::string& text) {
  if (payload.empty()) outer.Fail();
  text = payload;
}

bool MayRepeat(ProductTag tag) {
  return tag == ProductTag::kCategory || tag == ProductTag::kAdditionalImageLink ||
         tag == ProductTag::kAttribute || tag == ProductTag::kOption ||
         tag == ProductTag::kRegionalPrice || tag == ProductTag::kShipping ||
         tag == ProductTag::kStock;
}
bool MayRepeat(DocumentTag) { return false; }

template <typename Tag>
constexpr uint32_t Bit(Tag tag) {
  return 1u << static_cast<unsigned>(tag);
}

// The fields that the encoder always writes.
constexpr uint32_t RequiredTags(ProductTag) {
  return Bit(ProductTag::kAvailability) | Bit(ProductTag::kCondition);
}
constexpr uint32_t RequiredTags(DocumentTag) { return Bit(DocumentTag::kVersion); }

// The fields that version 2 added.
void SetMerchantField(Decoder& in, ProductTag tag, std::string_view payload, Product& product) {
  switch (tag) {
    case ProductTag::kOption:
      product.options.push_back(DecodePayload(in, payload, DecodeAttribute));
      return;
    case ProductTag::kRegionalPrice:
      product.regional_prices.push_back(DecodePayload(in, payload, DecodeRegionalPrice));
      return;
    case ProductTag::kShipping:
      product.shipping.push_back(DecodePayload(in, payload, DecodeShipping));
      return;
    case ProductTag::kStock:
      product.stock.push_back(DecodePayload(in, payload, DecodeStock));
      return;
    case ProductTag::kPopularity:
      product.popularity = DecodePayload(in, payload, [](Decoder& d) { return d.Integer(); });
      return;
    case ProductTag::kTrust:
      product.trust = DecodeTrust(in, payload);
      return;
    case ProductTag::kQuarantine:
      return SetText(in, payload, product.quarantine);
    default:
      in.Fail();
  }
}

void SetField(Decoder& in, ProductTag tag, std::string_view payload, Product& product) {
  switch (tag) {
    case ProductTag::kId:
      return SetText(in, payload, product.id);
    case ProductTag::kTitle:
      return SetText(in, payload, product.title);
    case ProductTag::kDescription:
      return SetText(in, payload, product.description);
    case ProductTag::kBrand:
      return SetText(in, payload, product.brand);
    case ProductTag::kGtin:
      return SetText(in, payload, product.gtin);
    case ProductTag::kMpn:
      return SetText(in, payload, product.mpn);
    case ProductTag::kCategory:
      product.categories.emplace_back(payload);
      return;
    case ProductTag::kPrice:
      product.price = DecodePayload(in, payload, DecodeAmount);
      return;
    case ProductTag::kSalePrice:
      product.sale_price = DecodePayload(in, payload, DecodeAmount);
      return;
    case ProductTag::kSaleDates:
      product.sale_price_effective = DecodePayload(in, payload, DecodeDates);
      return;
    case ProductTag::kAvailability:
      product.availability = DecodeName(in, payload, ParseAvailability);
      return;
    case ProductTag::kCondition:
      product.condition = DecodeName(in, payload, ParseCondition);
      return;
    case ProductTag::kLink:
      return SetText(in, payload, product.link);
    case ProductTag::kImageLink:
      return SetText(in, payload, product.image_link);
    case ProductTag::kAdditionalImageLink:
      product.additional_image_links.emplace_back(payload);
      return;
    case ProductTag::kRating:
      product.rating = DecodePayload(in, payload, DecodeRating);
      return;
    case ProductTag::kAttribute:
      product.attributes.push_back(DecodePayload(in, payload, DecodeAttribute));
      return;
    case ProductTag::kItemGroupId:
      return SetText(in, payload, product.item_group_id);
    case ProductTag::kLocale:
      return SetText(in, payload, product.locale);
    case ProductTag::kUpdatedAt:
      return SetText(in, payload, product.updated_at);
    default:
      return SetMerchantField(in, tag, payload, product);
  }
}

void SetField(Decoder& in, DocumentTag tag, std::string_view payload, Document& document) {
  switch (tag) {
    case DocumentTag::kId:
      return SetText(in, payload, document.id);
    case DocumentTag::kKind:
      return SetText(in, payload, document.kind);
    case DocumentTag::kTitle:
      return SetText(in, payload, document.title);
    case DocumentTag::kText:
      return SetText(in, payload, document.text);
    case DocumentTag::kLink:
      return SetText(in, payload, document.link);
    case DocumentTag::kLocale:
      return SetText(in, payload, document.locale);
    case DocumentTag::kVersion:
      document.version = DecodePayload(in, payload, [](Decoder& d) { return d.Integer(); });
      return;
    case DocumentTag::kUpdatedAt:
      return SetText(in, payload, document.updated_at);
    case DocumentTag::kProductId:
      return SetText(in, payload, document.product_id);
    case DocumentTag::kTrust:
      document.trust = DecodeTrust(in, payload);
      return;
    case DocumentTag::kQuarantine:
      return SetText(in, payload, document.quarantine);
    case DocumentTag::kPages:
      return SetPages(in, payload, document.pages);
  }
  in.Fail();
}

// The fields that version 1 does not have.
void Upgrade(Product&) {}
void Upgrade(Document& document) {
  if (document.kind == "review") document.trust = Trust::kUntrusted;
}

template <typename T, typename Tag>
absl::StatusOr<T> DecodeRecord(std::string_view bytes) {
  Decoder in(bytes);
  const uint8_t version = in.Byte();
  if (version != kFirstVersion && version != kEncodingVersion) {
    return absl::DataLossError("record: unknown encoding version");
  }
  const int last_tag = version == kFirstVersion ? LastTagOfVersion1(Tag{}) : UINT8_MAX;
  T record;
  int previous = 0;
  uint32_t seen = 0;
  while (in.ok() && !in.at_end()) {
    const int tag = in.Byte();
    const uint64_t size = in.Varint();
    const std::string_view payload = in.Bytes(size);
    const bool repeated = tag == previous && MayRepeat(static_cast<Tag>(tag));
    if (tag > last_tag || (tag <= previous && !repeated)) in.Fail();
    if (!in.ok()) break;
    SetField(in, static_cast<Tag>(tag), payload, record);
    if (in.ok()) seen |= Bit(static_cast<Tag>(tag));
    previous = tag;
  }
  constexpr uint32_t kRequired = RequiredTags(Tag{});
  if ((seen & kRequired) != kRequired) in.Fail();
  if (!in.ok()) {
    return absl::DataLossError(fmt::format("record: damaged after field {}", previous));
  }
  if (version == kFirstVersion) Upgrade(record);
  return record;
}

}  // namespace

std::string EncodeProduct(const Product& product) {
  Encoder out(kEncodingVersion);
  out.Text(ProductTag::kId, product.id);
  out.Text(ProductTag::kTitle, product.title);
  out.Text(ProductTag::kDescription, product.description);
  out.Text(ProductTag::kBrand, product.brand);
  out.Text(ProductTag::kGtin, product.gtin);
  out.Text(ProductTag::kMpn, product.mpn);
  for (const std::string& category : product.categories) out.Field(ProductTag::kCategory, category);
  out.Amount(ProductTag::kPrice, product.price);
  out.Amount(ProductTag::kSalePrice, product.sale_price);
  if (product.sale_price_effective) {
    out.Field(ProductTag::kSaleDates, EncodeDates(*product.sale_price_effective));
  }
  out.Field(ProductTag::kAvailability, ToString(product.availability));
  out.Field(ProductTag::kCondition, ToString(product.condition));
  out.Text(ProductTag::kLink, product.link);
  out.Text(ProductTag::kImageLink, product.image_link);
  for (const std::string& link : product.additional_image_links) {
    out.Field(ProductTag::kAdditionalImageLink, link);
  }
  if (product.rating) out.Field(ProductTag::kRating, EncodeRating(*product.rating));
  for (const Attribute& attribute : product.attributes) {
    out.Field(ProductTag::kAttribute, EncodeAttribute(attribute));
  }
  out.Text(ProductTag::kItemGroupId, product.item_group_id);
  out.Text(ProductTag::kLocale, product.locale);
  out.Text(ProductTag::kUpdatedAt, product.updated_at);
  EncodeMerchantFields(product, out);
  return out.Take();
}

std::string EncodeDocument(const Document& document) {
  Encoder out(kEncodingVersion);
  out.Text(DocumentTag::kId, document.id);
  out.Text(DocumentTag::kKind, document.kind);
  out.Text(DocumentTag::kTitle, document.title);
  out.Text(DocumentTag::kText, document.text);
  out.Text(DocumentTag::kLink, document.link);
  out.Text(DocumentTag::kLocale, document.locale);
  out.Integer(DocumentTag::kVersion, document.version);
  out.Text(DocumentTag::kUpdatedAt, document.updated_at);
  out.Text(DocumentTag::kProductId, document.product_id);
  if (document.trust != Trust::kShop) out.Field(DocumentTag::kTrust, ToString(document.trust));
  out.Text(DocumentTag::kQuarantine, document.quarantine);
  if (!document.pages.empty()) out.Field(DocumentTag::kPages, EncodePages(document.pages));
  return out.Take();
}

absl::StatusOr<Product> DecodeProduct(std::string_view bytes) {
  return DecodeRecord<Product, ProductTag>(bytes);
}

absl::StatusOr<Document> DecodeDocument(std::string_view bytes) {
  return DecodeRecord<Document, DocumentTag>(bytes);
}

}  // namespace emptor::catalog
