// A record is a version byte and then fields in ascending order: tag byte, length varint, payload.
// Absent fields are left out. The decoder re-encodes nothing: order, lengths and values are checked
// so strictly that every accepted text is the one that the encoder writes.
#include "catalog/record_codec.h"

#include <bit>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

static_assert(std::endian::native == std::endian::little, "doubles are copied in memory order");

constexpr char kEncodingVersion = 1;
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
  kUpdatedAt,
};

enum class DocumentTag : uint8_t {
  kId = 1,
  kKind,
  kTitle,
  kText,
  kLink,
  kLocale,
  kVersion,
  kUpdatedAt,
};

void AppendVarint(uint64_t value, std::string& out) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80u);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

uint64_t ZigZag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

int64_t UnZigZag(uint64_t value) { return static_cast<int64_t>((value >> 1) ^ (0 - (value & 1))); }

class Encoder {
 public:
  Encoder() : out_(1, kEncodingVersion) {}

  template <typename Tag>
  void Field(Tag tag, std::string_view payload) {
    out_ += static_cast<char>(tag);
    AppendVarint(payload.size(), out_);
    out_ += payload;
  }
  template <typename Tag>
  void Text(Tag tag, std::string_view text) {
    if (!text.empty()) Field(tag, text);
  }
  template <typename Tag>
  void Integer(Tag tag, int64_t value) {
    std::string payload;
    AppendVarint(ZigZag(value), payload);
    Field(tag, payload);
  }
  template <typename Tag>
  void Amount(Tag tag, const std::optional<Money>& money) {
    if (!money) return;
    std::string payload;
    AppendVarint(ZigZag(money->amount), payload);
    Field(tag, payload + money->currency);
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

std::string EncodeDates(const TimeRange& range) {
  std::string payload(1, static_cast<char>((range.start ? 1 : 0) | (range.end ? 2 : 0)));
  if (range.start) AppendVarint(ZigZag(*range.start), payload);
  if (range.end) AppendVarint(ZigZag(*range.end), payload);
  return payload;
}

std::string EncodeRating(const Rating& rating) {
  std::string payload(sizeof(double), '\0');
  std::memcpy(payload.data(), &rating.value, sizeof(double));
  AppendVarint(ZigZag(rating.count), payload);
  return payload;
}

std::string EncodeAttribute(const Attribute& attribute) {
  std::string payload;
  AppendVarint(attribute.name.size(), payload);
  return payload + attribute.name + attribute.value;
}

// Reads from the front; a failed read makes ok() false and gives zeros from then on.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  void Fail() { ok_ = false; }

  uint8_t Byte() {
    const std::string_view byte = Bytes(1);
    return byte.empty() ? 0 : static_cast<uint8_t>(byte[0]);
  }
  std::string_view Bytes(size_t count) {
    if (!ok_ || count > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view bytes = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return bytes;
  }
  std::string_view Rest() { return Bytes(rest_.size()); }
  // Only the shortest form of a number is taken.
  uint64_t Varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      const uint64_t bits = byte & 0x7Fu;
      if (shift == 63 && bits > 1) break;
      value |= bits << shift;
      if ((byte & 0x80u) == 0) {
        if (byte == 0 && shift > 0) Fail();
        return ok_ ? value : 0;
      }
    }
    Fail();
    return 0;
  }
  int64_t Integer() { return UnZigZag(Varint()); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// One payload, decoded; `ok` of the outer decoder falls when the payload is not used up.
template <typename Decode>
auto DecodePayload(Decoder& outer, std::string_view payload, Decode decode) {
  Decoder inner(payload);
  auto value = decode(inner);
  if (!inner.ok() || !inner.at_end()) outer.Fail();
  return value;
}

Money DecodeAmount(Decoder& payload) {
  Money money;
  money.amount = payload.Integer();
  money.currency = payload.Bytes(kCurrencyBytes);
  return money;
}

TimeRange DecodeDates(Decoder& payload) {
  TimeRange range;
  const uint8_t present = payload.Byte();
  if (present > 3) payload.Fail();
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

template <typename Enum>
Enum DecodeName(Decoder& outer, std::string_view payload,
                std::optional<Enum> (*parse)(std::string_view)) {
  const std::optional<Enum> value = parse(payload);
  if (!value) outer.Fail();
  return value.value_or(Enum{});
}

// Text fields that are empty are left out by the encoder, so an empty one is damage.
void SetText(Decoder& outer, std::string_view payload, std::string& text) {
  if (payload.empty()) outer.Fail();
  text = payload;
}

bool MayRepeat(ProductTag tag) {
  return tag == ProductTag::kCategory || tag == ProductTag::kAdditionalImageLink ||
         tag == ProductTag::kAttribute;
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
  }
  in.Fail();
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
  }
  in.Fail();
}

template <typename T, typename Tag>
absl::StatusOr<T> DecodeRecord(std::string_view bytes) {
  Decoder in(bytes);
  if (in.Byte() != kEncodingVersion) {
    return absl::DataLossError("record: unknown encoding version");
  }
  T record;
  int previous = 0;
  uint32_t seen = 0;
  while (in.ok() && !in.at_end()) {
    const int tag = in.Byte();
    const uint64_t size = in.Varint();
    const std::string_view payload = in.Bytes(size);
    const bool repeated = tag == previous && MayRepeat(static_cast<Tag>(tag));
    if (tag <= previous && !repeated) in.Fail();
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
  return record;
}

}  // namespace

std::string EncodeProduct(const Product& product) {
  Encoder out;
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
  return out.Take();
}

std::string EncodeDocument(const Document& document) {
  Encoder out;
  out.Text(DocumentTag::kId, document.id);
  out.Text(DocumentTag::kKind, document.kind);
  out.Text(DocumentTag::kTitle, document.title);
  out.Text(DocumentTag::kText, document.text);
  out.Text(DocumentTag::kLink, document.link);
  out.Text(DocumentTag::kLocale, document.locale);
  out.Integer(DocumentTag::kVersion, document.version);
  out.Text(DocumentTag::kUpdatedAt, document.updated_at);
  return out.Take();
}

absl::StatusOr<Product> DecodeProduct(std::string_view bytes) {
  return DecodeRecord<Product, ProductTag>(bytes);
}

absl::StatusOr<Document> DecodeDocument(std::string_view bytes) {
  return DecodeRecord<Document, DocumentTag>(bytes);
}

}  // namespace emptor::catalog
