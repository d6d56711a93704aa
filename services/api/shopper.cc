// Strict reading of what shoppers send besides questions.
#include "services/api/shopper.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "catalog/encoding/json.h"
#include "catalog/encoding/sha256.h"
#include "catalog/encoding/utf8.h"
#include "catalog/product.h"
#include "services/api/object_reader.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kMaxIdBytes = 64;
constexpr size_t kOwnerBytes = 16;
constexpr size_t kMaxBytesOfCharacter = 4;
constexpr std::array<std::string_view, 6> kReasons = {"wrong",    "not_relevant", "incomplete",
                                                      "too_long", "unsafe",       "other"};

absl::StatusOr<JsonValue> ParseBody(std::string_view json) {
  catalog::JsonLimits limits;
  limits.max_bytes = 64 * 1024;
  limits.max_depth = 4;
  limits.max_nodes = 500;
  auto value = catalog::ParseJson(json, limits);
  if (!value.ok()) return InvalidField("body", std::string(value.status().message()));
  return value;
}

bool IsTokenCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}

size_t CountCharacters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

/// Reads a text of at most `max` characters.
void ReadCharacters(ObjectReader& reader, std::string_view name, size_t max, std::string& out) {
  reader.Text(name, max * kMaxBytesOfCharacter, out);
  if (CountCharacters(out) > max) reader.Fail(name, fmt::format("at most {} characters", max));
}

void ReadId(ObjectReader& reader, std::string_view name, std::string& out) {
  reader.Text(name, kMaxIdBytes, out);
  if (!out.empty() && !IsPlainId(out)) {
    reader.Fail(name, "expected letters, digits, '-', '_', '.' or ':'");
  }
}

ReportedEvent ReadEvent(const JsonValue& value, const std::string& where, ObjectReader& outer) {
  ReportedEvent event;
  ObjectReader reader(value, where);
  reader.Allow({"type", "product_id", "answer_id"});
  std::string type;
  reader.Text("type", 16, type);
  const auto kind = ParseShopperEvent(type);
  if (!kind) reader.Fail("type", "expected view, click or add_to_cart");
  event.kind = kind.value_or(ShopperEvent::kView);
  reader.Text("product_id", kMaxIdBytes, event.product_id);
  if (!catalog::IsValidId(event.product_id)) reader.Fail("product_id", "expected a product's id");
  ReadId(reader, "answer_id", event.answer_id);
  outer.Take(reader.status());
  return event;
}

}  // namespace

absl::StatusOr<std::string> OwnerOf(const Request& request, std::string_view shop) {
  std::string_view token;
  int count = 0;
  for (const auto& [name, value] : request.headers) {
    if (name != kShopperHeader) continue;
    token = value;
    ++count;
  }
  if (count == 0) return std::string();
  const bool is_good = count == 1 && token.size() >= kMinShopperBytes &&
                       token.size() <= kMaxShopperBytes &&
                       std::all_of(token.begin(), token.end(), IsTokenCharacter);
  if (!is_good) {
    return InvalidField(kShopperHeader,
                        fmt::format("expected one token of {} to {} letters, digits, '-' or '_', "
                                    "made of at least 128 random bits",
                                    kMinShopperBytes, kMaxShopperBytes));
  }
  const std::string text = fmt::format("emptor shopper\n{}\n{}", shop, token);
  const catalog::Digest digest = catalog::ComputeSha256(text.data(), text.size());
  std::string owner;
  for (size_t i = 0; i < kOwnerBytes; ++i) owner += fmt::format("{:02x}", digest[i]);
  return owner;
}

bool IsPlainId(std::string_view id) {
  return !id.empty() && id.size() <= kMaxIdBytes && std::all_of(id.begin(), id.end(), [](char c) {
    return IsTokenCharacter(c) || c == '.' || c == ':';
  });
}

absl::StatusOr<FeedbackBody> ParseFeedbackBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  FeedbackBody body;
  ObjectReader reader(*value, "");
  reader.Allow({"answer_id", "request_id", "conversation_id", "rating", "reason", "comment"});
  ReadId(reader, "answer_id", body.answer_id);
  ReadId(reader, "request_id", body.request_id);
  ReadId(reader, "conversation_id", body.conversation_id);
  std::string rating;
  reader.Text("rating", 8, rating);
  body.is_up = rating == "up";
  if (!body.is_up && rating != "down") reader.Fail("rating", "expected up or down");
  reader.Text("reason", 16, body.reason);
  const bool is_known = body.reason.empty() ||
                        std::find(kReasons.begin(), kReasons.end(), body.reason) != kReasons.end();
  if (!is_known) {
    reader.Fail("reason", "expected wrong, not_relevant, incomplete, too_long, unsafe or other");
  }
  ReadCharacters(reader, "comment", kMaxCommentCharacters, body.comment);
  if (!reader.ok()) return reader.status();
  if (body.answer_id.empty() == body.request_id.empty()) {
    return InvalidField("answer_id", "expected it or request_id");
  }
  return body;
}

absl::StatusOr<std::vector<ReportedEvent>> ParseEventsBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  ObjectReader reader(*value, "");
  reader.Allow({"events"});
  const JsonValue* list = reader.Find("events");
  std::vector<ReportedEvent> events;
  const bool is_list = reader.ok() && list != nullptr && list->is_array() &&
                       !list->as_array().empty() && list->as_array().size() <= kMaxEventsOfRequest;
  if (!is_list) reader.Fail("events", fmt::format("expected 1 to {} events", kMaxEventsOfRequest));
  if (!reader.ok()) return reader.status();
  for (const JsonValue& each : list->as_array()) {
    events.push_back(ReadEvent(each, fmt::format("events[{}]", events.size()), reader));
  }
  if (!reader.ok()) return reader.status();
  return events;
}

absl::StatusOr<std::string> ParseTitleBody(std::string_view json) {
  const auto value = ParseBody(json);
  if (!value.ok()) return value.status();
  ObjectReader reader(*value, "");
  reader.Allow({"title"});
  std::string title;
  ReadCharacters(reader, "title", kMaxTitleCharacters, title);
  const bool is_blank = title.find_first_not_of(' ') == std::string::npos;
  const bool has_control = std::any_of(title.begin(), title.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (is_blank || has_control) reader.Fail("title", "expected text on one line");
  if (!reader.ok()) return reader.status();
  return title;
}

}  // namespace emptor::services
