// Handlers: each runs on the workers and answers with one JSON object.
#include "services/api/shop_admin_routes.h"

#include <charconv>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "retrieval/ranking/merchandising_rules.h"
#include "services/api/api_errors.h"
#include "services/backup/shop_operations.h"
#include "services/ingest/quarantine_operations.h"

namespace emptor::services {
namespace {

using ExchangePtr = std::shared_ptr<Exchange>;
using Outcome = absl::StatusOr<std::string>;  // JSON
using Operation =
    std::function<Outcome(ShopDirectory& shops, const Request& request, const std::string& shop)>;

/// Operators see internal messages, too.
Response ErrorFor(const absl::Status& status, const std::string& id) {
  const std::string message(status.message());
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
      return MakeErrorResponse(status, id);
    case absl::StatusCode::kAlreadyExists:
    case absl::StatusCode::kFailedPrecondition:
      return MakeErrorResponse(409, "conflict", message, "", id);
    case absl::StatusCode::kResourceExhausted:
      return MakeErrorResponse(507, "storage_full", message, "", id);
    case absl::StatusCode::kPermissionDenied:
      return MakeErrorResponse(502, "target_refused", message, "", id);
    case absl::StatusCode::kDataLoss:
      return MakeErrorResponse(500, "data_loss", message, "", id);
    default:
      return MakeErrorResponse(503, "unavailable", message, "", id);
  }
}

void Answer(Exchange& exchange, Outcome outcome) {
  const Request& request = exchange.request();
  if (!outcome.ok()) return exchange.Respond(ErrorFor(outcome.status(), request.id));
  Response response;
  response.body = *std::move(outcome);
  response.headers.emplace_back("Cache-Control", "no-store");
  AddSecurityHeaders(response);
  exchange.Respond(std::move(response));
}

Outcome Done(const std::string& shop, const absl::Status& status) {
  if (!status.ok()) return status;
  catalog::JsonWriter writer;
  return writer.BeginObject().Member("shop", shop).EndObject().Take();
}

Outcome Rebuild(ShopDirectory& shops, const Request& request, const std::string& shop) {
  RebuildSpec spec;
  for (const auto& [name, value] : request.query) {
    if (absl::Status status = SetRebuildOption(name, value, spec); !status.ok()) return status;
  }
  std::istringstream feed(request.body);
  return RebuildShop(shops, shop, spec, feed);
}

Outcome Backup(const BackupPlaces& places, ShopDirectory& shops, const Request& request,
               const std::string& shop) {
  BackupSpec spec;
  for (const auto& [name, value] : request.query) {
    if (name == "to") {
      spec.to = value;
    } else if (name == "full" && (value == "1" || value == "0")) {
      spec.full = value == "1";
    } else if (name == "keep" &&
               std::from_chars(value.data(), value.data() + value.size(), spec.keep_bases).ptr ==
                   value.data() + value.size() &&
               !value.empty() && spec.keep_bases >= 0) {
      continue;
    } else {
      return absl::InvalidArgumentError(name.substr(0, 64) + ": expected to, full=1 or keep=N");
    }
  }
  if (spec.to.empty()) return absl::InvalidArgumentError("to: expected a directory or s3://...");
  auto place = ConfineBackup(places, spec.to);
  if (!place.ok()) return place.status();
  spec.to = *std::move(place);
  return BackupShop(shops, shop, spec);
}

/// The shop's rules; PUT replaces them first.
Outcome Pins(ShopDirectory& shops, const Request& request, const std::string& name) {
  const auto shop = shops.Find(name);
  if (!shop.ok()) return shop.status();
  if (request.method == "PUT") {
    if (absl::Status status = (*shop)->writer().SetMerchandising(request.body); !status.ok())
      return status;
  }
  return (*shop)->reader().merchandising_json();
}

Outcome List(ShopDirectory& shops, const Request&, const std::string&) { return ListShops(shops); }

Outcome Create(ShopDirectory& shops, const Request&, const std::string& shop) {
  return Done(shop, shops.Create(shop));
}

Outcome Delete(ShopDirectory& shops, const Request&, const std::string& shop) {
  return Done(shop, shops.Delete(shop));
}

Outcome RollBack(ShopDirectory& shops, const Request&, const std::string& shop) {
  return Done(shop, shops.RollBack(shop));
}

Outcome Reembed(ShopDirectory& shops, const Request&, const std::string& shop) {
  return ReembedShop(shops, shop);
}

Outcome Quarantine(ShopDirectory& shops, const Request& request, const std::string& shop) {
  return ListQuarantine(shops, shop, {request.query.begin(), request.query.end()});
}

Outcome Release(ShopDirectory& shops, const Request& request, const std::string& shop) {
  return ReleaseRecord(shops, shop, {request.query.begin(), request.query.end()});
}

}  // namespace

std::vector<Route> MakeShopAdminRoutes(ShopDirectory& shops, WorkerPool& workers,
                                       const ShopAdminOptions& options) {
  const auto route = [&](const char* method, const char* pattern, Operation operation,
                         bool renews = false, size_t max_body_bytes = kSmallBody) {
    return Route{method, pattern, Access::kAdmin,
                 [&shops, &workers, operation, after = renews ? options.renew : nullptr](
                     const ExchangePtr& exchange, std::string_view name) {
                   const bool taken = workers.TrySubmit([=, &shops, shop = std::string(name)] {
                     Outcome outcome = operation(shops, exchange->request(), shop);
                     if (outcome.ok() && after) after(shop);
                     Answer(*exchange, std::move(outcome));
                   });
                   if (taken) return;
                   exchange->Respond(ErrorFor(absl::UnavailableError("the queue is full"),
                                              exchange->request().id));
                 },
                 max_body_bytes};
  };
  constexpr bool kRenews = true;
  return {route("GET", "/admin/shops", List),
          route("GET", "/admin/shops/{name}/pins", Pins),
          route("PUT", "/admin/shops/{name}/pins", Pins, !kRenews,
                retrieval::MerchandisingRules::kMaxBytes),
          route("GET", "/admin/shops/{name}/quarantine", Quarantine),
          route("GET", "/admin/shops/{name}/image-hosts",
                [hosts = options.image_hosts](ShopDirectory& all, const Request&,
                                              const std::string& shop) {
                  return ListImageHosts(all, shop, hosts);
                }),
          route("POST", "/admin/shops/{name}/release", Release),
          route("POST", "/admin/shops/{name}/create", Create),
          route("POST", "/admin/shops/{name}/delete", Delete, kRenews),
          route("POST", "/admin/shops/{name}/rollback", RollBack, kRenews),
          route("POST", "/admin/shops/{name}/rebuild", Rebuild, kRenews, kLargestBody),
          route("POST", "/admin/shops/{name}/reembed", Reembed, kRenews),
          route("POST", "/admin/shops/{name}/backup",
                [places = options.places](ShopDirectory& all, const Request& request,
                                          const std::string& shop) {
                  return Backup(places, all, request, shop);
                })};
}

}  // namespace emptor::services
