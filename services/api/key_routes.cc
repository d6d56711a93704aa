// JSON of keys, and the routes on the workers: each change waits for the disk.
#include "services/api/key_routes.h"

#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/timestamp.h"
#include "services/api/api_errors.h"
#include "services/api/object_reader.h"
#include "services/api/submit.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using Outcome = absl::StatusOr<std::string>;  // JSON

constexpr int kMaxDays = 3650, kMaxGraceHours = 24 * 31, kGraceHours = 24;
constexpr int64_t kDay = 24 * 60 * 60;
constexpr size_t kMaxText = 256;

int64_t Now() { return static_cast<int64_t>(std::time(nullptr)); }

std::string_view StateOf(const KeyRecord& record, int64_t now) {
  if (record.revoked_unix != 0) return "revoked";
  return IsAlive(record, now) ? "active" : "expired";
}

void WriteTime(const char* name, int64_t unix_seconds, catalog::JsonWriter& writer) {
  if (unix_seconds != 0) writer.Member(name, catalog::FormatRfc3339(unix_seconds));
}

/// The members of one key, in an object that is open.
void WriteMembers(const KeyRecord& record, catalog::JsonWriter& writer) {
  const Principal& principal = record.principal;
  writer.Member("id", principal.key_id).Member("kind", ToString(principal.kind));
  if (!principal.shop.empty()) writer.Member("shop", principal.shop);
  if (!record.name.empty()) writer.Member("name", record.name);
  if (!principal.origins.empty()) {
    writer.Key("origins").BeginArray();
    for (const std::string& origin : principal.origins) writer.String(origin);
    writer.EndArray();
  }
  WriteTime("created", record.created_unix, writer);
  WriteTime("expires", record.expires_unix, writer);
  WriteTime("revoked", record.revoked_unix, writer);
  writer.Member("state", StateOf(record, Now()));
}

std::string WithKey(const IssuedKey& issued) {
  catalog::JsonWriter writer;
  writer.BeginObject();
  WriteMembers(issued.record, writer);
  return writer.Member("key", issued.text).EndObject().Take();
}

absl::StatusOr<catalog::JsonValue> ParseBody(std::string_view json) {
  return catalog::ParseJson(json.empty() ? std::string_view("{}") : json);
}

Response ErrorFor(const absl::Status& status, const std::string& id) {
  const std::string message(status.message());
  if (absl::IsFailedPrecondition(status)) {
    return MakeErrorResponse(409, "conflict", message, "id", id);
  }
  if (absl::IsUnavailable(status) || absl::IsDataLoss(status)) {  // operators see the reason
    return MakeErrorResponse(503, "unavailable", message, "", id);
  }
  return MakeErrorResponse(status, id);
}

void Answer(Exchange& exchange, Outcome outcome) {
  if (!outcome.ok()) return exchange.Respond(ErrorFor(outcome.status(), exchange.request().id));
  Response response;
  response.body = *std::move(outcome);
  if (const std::string id = KeyIdIn(response.body); !id.empty()) {
    response.headers.emplace_back(std::string(kKeyIdHeader), id);
  }
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

}  // namespace

std::string KeyIdIn(const std::string& reply) {
  const auto json = catalog::ParseJson(reply);
  const catalog::JsonValue* id = json.ok() ? json->Find("id") : nullptr;
  return id != nullptr && id->is_string() ? id->as_string() : std::string();
}

std::string ListKeys(const KeyStore& keys) {
  catalog::JsonWriter writer;
  writer.BeginObject().Key("keys").BeginArray();
  for (const KeyRecord& record : keys.List()) {
    writer.BeginObject();
    WriteMembers(record, writer);
    writer.EndObject();
  }
  return writer.EndArray().EndObject().Take();
}

Outcome IssueKey(KeyStore& keys, std::string_view json) {
  const auto body = ParseBody(json);
  if (!body.ok()) return body.status();
  ObjectReader reader(*body, "");
  reader.Allow({"kind", "shop", "name", "origins", "days"});
  std::string kind_text;
  int days = 0;
  KeyRecord wanted;
  reader.Text("kind", kMaxText, kind_text);
  reader.Text("shop", kMaxText, wanted.principal.shop);
  reader.Text("name", kMaxText, wanted.name);
  reader.Texts("origins", wanted.principal.origins);
  reader.Integer("days", 1, kMaxDays, days);
  if (!reader.ok()) return reader.status();
  const auto kind = ParseKeyKind(kind_text);
  if (!kind) return InvalidField("kind", "expected browser, server or admin");
  wanted.principal.kind = *kind;
  if (*kind != KeyKind::kAdmin && wanted.principal.shop.empty()) wanted.principal.shop = "default";
  if (days > 0) wanted.expires_unix = Now() + days * kDay;
  const auto issued = keys.Issue(std::move(wanted));
  if (!issued.ok()) return issued.status();
  return WithKey(*issued);
}

Outcome RotateKey(KeyStore& keys, const std::string& id, std::string_view json) {
  const auto body = ParseBody(json);
  if (!body.ok()) return body.status();
  ObjectReader reader(*body, "");
  reader.Allow({"grace_hours"});
  int hours = kGraceHours;
  reader.Integer("grace_hours", 0, kMaxGraceHours, hours);
  if (!reader.ok()) return reader.status();
  const auto issued = keys.Rotate(id, std::chrono::hours(hours));
  if (!issued.ok()) return issued.status();
  return WithKey(*issued);
}

Outcome RevokeKey(KeyStore& keys, const std::string& id) {
  const auto revoked = keys.Revoke(id);
  if (!revoked.ok()) return revoked.status();
  catalog::JsonWriter writer;
  writer.BeginObject();
  WriteMembers(*revoked, writer);
  return writer.EndObject().Take();
}

std::vector<Route> MakeKeyRoutes(KeyStore& keys, WorkerPool& workers) {
  using Operation = std::function<Outcome(const Request& request, const std::string& id)>;
  const auto route = [&workers](const char* method, const char* pattern, Operation operation) {
    return Route(method, pattern, Access::kAdmin,
                 [&workers, operate = std::move(operation)](const ExchangePtr& exchange,
                                                            std::string_view id) {
                   SubmitOrRefuse(workers, exchange, [operate, exchange, key = std::string(id)] {
                     Answer(*exchange, operate(exchange->request(), key));
                   });
                 });
  };
  return {route("GET", "/admin/keys",
                [&keys](const Request&, const std::string&) { return Outcome(ListKeys(keys)); }),
          route("POST", "/admin/keys",
                [&keys](const Request& request, const std::string&) {
                  return IssueKey(keys, request.body);
                }),
          route("POST", "/admin/keys/{id}/rotate",
                [&keys](const Request& request, const std::string& id) {
                  return RotateKey(keys, id, request.body);
                }),
          route("POST", "/admin/keys/{id}/revoke",
                [&keys](const Request&, const std::string& id) { return RevokeKey(keys, id); })};
}

}  // namespace emptor::services
