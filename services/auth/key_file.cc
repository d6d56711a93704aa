// JSON of issued keys.
#include "services/auth/key_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "catalog/encoding/json.h"
#include "services/auth/web_origin.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;

constexpr size_t kMaxFileBytes = 16u << 20, kMaxName = 100, kMaxOrigins = 32, kMaxShop = 63;
constexpr int64_t kFormat = 1;
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool IsShopName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxShop &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

bool IsPlainName(std::string_view name) {
  return name.size() <= kMaxName && std::none_of(name.begin(), name.end(), [](unsigned char c) {
           return c < 0x20 || c == 0x7f;
         });
}

/// Reads members of one key; the first mistake stays.
class Reader {
 public:
  Reader(const JsonValue& key, size_t number) : key_(key), number_(number) {}

  std::string Text(const char* name) {
    const JsonValue* value = key_.Find(name);
    if (value != nullptr && value->is_string()) return value->as_string();
    Fail(name, "expected a text");
    return {};
  }
  int64_t Time(const char* name) {
    const JsonValue* value = key_.Find(name);
    if (value != nullptr && value->is_int() && value->as_int() >= 0) return value->as_int();
    Fail(name, "expected seconds since 1970");
    return 0;
  }
  std::vector<std::string> Texts(const char* name) {
    std::vector<std::string> texts;
    const JsonValue* value = key_.Find(name);
    if (value == nullptr || !value->is_array()) {
      Fail(name, "expected a list");
      return texts;
    }
    for (const JsonValue& each : value->as_array()) {
      if (!each.is_string()) {
        Fail(name, "expected texts");
        return texts;
      }
      texts.push_back(each.as_string());
    }
    return texts;
  }
  void Fail(std::string_view name, std::string_view what) {
    if (status_.ok()) {
      status_ = absl::DataLossError(fmt::format("keys[{}].{}: {}", number_, name, what));
    }
  }
  const absl::Status& status() const { return status_; }

 private:
  const JsonValue& key_;
  const size_t number_;
  absl::Status status_;
};

absl::StatusOr<KeyRecord> ReadKey(const JsonValue& json, size_t number) {
  Reader reader(json, number);
  KeyRecord record;
  record.principal.key_id = reader.Text("id");
  const auto kind = ParseKeyKind(reader.Text("kind"));
  if (!kind) reader.Fail("kind", "expected browser, server or admin");
  record.principal.kind = kind.value_or(KeyKind::kBrowser);
  record.principal.shop = reader.Text("shop");
  record.principal.origins = reader.Texts("origins");
  record.name = reader.Text("name");
  if (!HexToMac(reader.Text("mac"), record.mac)) reader.Fail("mac", "expected 64 digits");
  record.created_unix = reader.Time("created");
  record.expires_unix = reader.Time("expires");
  record.revoked_unix = reader.Time("revoked");
  if (!reader.status().ok()) return reader.status();
  if (absl::Status status = CheckKeyRecord(record); !status.ok()) {
    reader.Fail("", std::string(status.message()));
    return reader.status();
  }
  return record;
}

}  // namespace

bool IsAlive(const KeyRecord& record, int64_t now_unix) {
  return record.revoked_unix == 0 && (record.expires_unix == 0 || now_unix < record.expires_unix);
}

absl::Status CheckKeyRecord(KeyRecord& record) {
  Principal& principal = record.principal;
  const bool is_admin = principal.kind == KeyKind::kAdmin;
  const bool is_browser = principal.kind == KeyKind::kBrowser;
  if (!IsPlainName(record.name)) {
    return absl::InvalidArgumentError("name: expected at most 100 printable characters");
  }
  if (is_admin != principal.shop.empty()) {
    return absl::InvalidArgumentError(is_admin ? "shop: an admin key is for all shops"
                                               : "shop: expected the name of a shop");
  }
  if (!is_admin && !IsShopName(principal.shop)) {
    return absl::InvalidArgumentError("shop: expected up to 63 of a-z, 0-9 and '-'");
  }
  if (is_browser == principal.origins.empty() || principal.origins.size() > kMaxOrigins) {
    return absl::InvalidArgumentError(
        is_browser ? "origins: expected 1 to 32, such as https://shop.example"
                   : "origins: only a browser key has any");
  }
  for (std::string& origin : principal.origins) {
    auto normal = NormalOrigin(origin);
    if (!normal) {
      return absl::InvalidArgumentError(fmt::format(
          "origins: expected one such as https://shop.example, found {:?}", origin.substr(0, 64)));
    }
    origin = *std::move(normal);
  }
  return absl::OkStatus();
}

std::string ToHex(const uint8_t* bytes, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += kHexDigits[bytes[i] >> 4];
    text += kHexDigits[bytes[i] & 15];
  }
  return text;
}

bool HexToMac(std::string_view hex, KeyMac& mac) {
  if (hex.size() != 2 * mac.size()) return false;
  for (size_t i = 0; i < hex.size(); ++i) {
    const size_t digit = kHexDigits.find(hex[i]);
    if (digit == std::string_view::npos) return false;
    mac[i / 2] = static_cast<uint8_t>((mac[i / 2] << 4) | digit);
  }
  return true;
}

std::string KeyFileText(const std::vector<KeyRecord>& records) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("format", kFormat).Key("keys").BeginArray();
  for (const KeyRecord& record : records) {
    const Principal& principal = record.principal;
    writer.BeginObject().Member("id", principal.key_id).Member("kind", ToString(principal.kind));
    writer.Member("shop", principal.shop).Member("name", record.name).Key("origins").BeginArray();
    for (const std::string& origin : principal.origins) writer.String(origin);
    writer.EndArray().Member("mac", ToHex(record.mac.data(), record.mac.size()));
    writer.Member("created", record.created_unix).Member("expires", record.expires_unix);
    writer.Member("revoked", record.revoked_unix).EndObject();
  }
  return writer.EndArray().EndObject().Take() + "\n";
}

absl::StatusOr<std::vector<KeyRecord>> ParseKeyFile(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const auto json = catalog::ParseJson(text, {.max_bytes = kMaxFileBytes, .max_nodes = 1u << 20});
  if (!json.ok()) return absl::DataLossError(std::string(json.status().message()));
  const JsonValue* format = json->Find("format");
  const JsonValue* keys = json->Find("keys");
  if (format == nullptr || !format->is_int() || format->as_int() != kFormat) {
    return absl::DataLossError("format: expected 1");
  }
  if (keys == nullptr || !keys->is_array()) return absl::DataLossError("keys: expected a list");
  std::vector<KeyRecord> records;
  std::set<std::string> ids;
  for (const JsonValue& each : keys->as_array()) {
    auto record = ReadKey(each, records.size());
    if (!record.ok()) return record.status();
    if (!ids.insert(record->principal.key_id).second) {
      return absl::DataLossError(fmt::format("keys[{}].id: is there twice", records.size()));
    }
    records.push_back(*std::move(record));
  }
  return records;
}

}  // namespace emptor::services
