// The checks of a request, in order: host, origin, key, shop, type of the body.
#include "services/auth/decision.h"

#include <fmt/format.h>

#include <algorithm>

#include "services/auth/web_origin.h"

namespace emptor::services {
namespace {

// The shop of requests that name none.
constexpr std::string_view kShopWithoutName = "default";

constexpr std::string_view kHowToSend = "send a key in the header \"Authorization: Bearer KEY\"";

/// Types that a page may send to any address without asking it first (Fetch standard, "CORS-
/// safelisted request-header").
bool IsSentUnasked(std::string_view type) {
  return type == "text/plain" || type == "application/x-www-form-urlencoded";
}

bool HasOrigin(const Principal* principal, std::string_view origin) {
  if (principal == nullptr || principal->kind != KeyKind::kBrowser) return false;
  const auto normal = NormalOrigin(origin);
  return normal && std::find(principal->origins.begin(), principal->origins.end(), *normal) !=
                       principal->origins.end();
}

bool IsOwnPage(const AccessPolicy& policy, const RequestFacts& facts) {
  if (facts.host && IsSameOrigin(facts.origin, *facts.host)) return true;
  return !policy.own_origin.empty() && NormalOrigin(facts.origin) == policy.own_origin;
}

AccessRefusal ForeignOrigin(std::string_view origin) {
  return {
      RefusalReason::kOrigin, 403, "foreign_origin",
      fmt::format("a page of {} may not do this: give it a browser key that lists its origin (a "
                  "page of the service itself: set public_url)",
                  origin.empty() ? "another site" : origin.substr(0, 100))};
}

/// Whether the page that sends the request may do so.
std::optional<AccessRefusal> CheckOrigin(const AccessPolicy& policy, const Principal* principal,
                                         const RequestFacts& facts) {
  const bool is_listed = HasOrigin(principal, facts.origin);
  if (principal != nullptr && principal->kind == KeyKind::kBrowser) {
    const bool is_own =
        facts.origin.empty() ? facts.fetch_site == "same-origin" : IsOwnPage(policy, facts);
    if (is_listed || is_own) return std::nullopt;
    if (!facts.origin.empty()) return ForeignOrigin(facts.origin);
    return AccessRefusal{RefusalReason::kOrigin, 403, "foreign_origin",
                         "a browser key is for pages of its origins: a program uses a server key"};
  }
  if (!facts.changes_state) return std::nullopt;
  if (!facts.origin.empty()) {
    if (IsOwnPage(policy, facts)) return std::nullopt;
    return ForeignOrigin(facts.origin);
  }
  const bool is_own =
      facts.fetch_site.empty() || facts.fetch_site == "same-origin" || facts.fetch_site == "none";
  if (is_own) return std::nullopt;
  return ForeignOrigin("");
}

AccessRefusal NeedsKey(const RequestFacts& facts) {
  if (facts.credential == Credential::kUnknown) {
    return {RefusalReason::kUnknownKey, 401, "unknown_key",
            "the key is not known here, has expired or was revoked: send another one"};
  }
  switch (facts.access) {
    case Access::kCatalog:
      return {RefusalReason::kNoKey, 401, "key_needed",
              fmt::format("a server or admin key is needed: {}; the service's own is in admin.key "
                          "of its data directory",
                          kHowToSend)};
    case Access::kAdmin:
    case Access::kMonitor:
      return {RefusalReason::kNoKey, 401, "key_needed",
              fmt::format("an admin key is needed: {}; the service's own is in admin.key of its "
                          "data directory",
                          kHowToSend)};
    default:
      return {RefusalReason::kNoKey, 401, "key_needed",
              fmt::format("a key is needed: {} (`emptor key issue` makes one)", kHowToSend)};
  }
}

bool IsOpen(const AccessPolicy& policy, const RequestFacts& facts) {
  switch (facts.access) {
    case Access::kOpen:
      return true;
    case Access::kMonitor:
      return IsLoopback(std::string(facts.remote));
    case Access::kAsk:
      return policy.reading == OpenReading::kAlways ||
             (policy.reading == OpenReading::kUntilKeys && !facts.has_issued_keys);
    default:
      return false;
  }
}

std::optional<AccessRefusal> CheckKey(const AccessPolicy& policy, const Principal* principal,
                                      const RequestFacts& facts) {
  if (facts.credential == Credential::kRepeated) {
    return AccessRefusal{RefusalReason::kRepeatedKey, 400, "bad_request",
                         "authorization: sent twice"};
  }
  if (IsOpen(policy, facts)) return std::nullopt;
  if (principal == nullptr) return NeedsKey(facts);
  if (Covers(principal->kind, facts.access)) return std::nullopt;
  return AccessRefusal{
      RefusalReason::kScope, 403, "wrong_scope",
      fmt::format("a {} key may not do this: use {} key", ToString(principal->kind),
                  facts.access == Access::kCatalog ? "a server or admin" : "an admin")};
}

/// The tenant is the key's; the header only chooses where the key leaves a choice.
std::optional<AccessRefusal> ChooseShop(const Principal* principal, const RequestFacts& facts,
                                        std::string& shop) {
  const std::string_view asked = facts.shop.empty() ? kShopWithoutName : facts.shop;
  if (principal == nullptr) {
    shop = kShopWithoutName;
    if (asked == kShopWithoutName) return std::nullopt;
    if (facts.credential == Credential::kUnknown) return NeedsKey(facts);
    return AccessRefusal{RefusalReason::kShop, 401, "key_needed",
                         fmt::format("X-Emptor-Shop: a shop other than \"{}\" is reached with a "
                                     "key: {}",
                                     kShopWithoutName, kHowToSend)};
  }
  shop = principal->shop.empty() ? std::string(asked) : principal->shop;
  if (facts.shop.empty() || facts.shop == shop) return std::nullopt;
  return AccessRefusal{RefusalReason::kShop, 403, "wrong_shop",
                       "X-Emptor-Shop: the key is of another shop: leave the header out, or use a "
                       "key of that shop"};
}

std::optional<AccessRefusal> CheckContentType(const RequestFacts& facts) {
  if (!facts.changes_state || !facts.has_body) return std::nullopt;
  const std::string type = MediaTypeOf(facts.content_type);
  const bool is_command = facts.access == Access::kCatalog || facts.access == Access::kAdmin;
  if (is_command ? !type.empty() && !IsSentUnasked(type) : type != "text/plain") {
    return std::nullopt;
  }
  return AccessRefusal{
      RefusalReason::kContentType, 415, "unsupported_media_type",
      fmt::format("content-type: {} is not taken: send application/json{}",
                  type.empty() ? "what is sent" : type,
                  is_command ? ", application/x-ndjson or the type of the file (any: "
                               "application/octet-stream)"
                             : "")};
}

}  // namespace

std::string_view ToString(RefusalReason reason) {
  switch (reason) {
    case RefusalReason::kHost:
      return "host";
    case RefusalReason::kOrigin:
      return "origin";
    case RefusalReason::kRepeatedKey:
      return "repeated_key";
    case RefusalReason::kNoKey:
      return "no_key";
    case RefusalReason::kUnknownKey:
      return "unknown_key";
    case RefusalReason::kScope:
      return "scope";
    case RefusalReason::kShop:
      return "shop";
    case RefusalReason::kContentType:
      return "content_type";
  }
  return "";
}

std::string_view FieldOf(RefusalReason reason) {
  switch (reason) {
    case RefusalReason::kHost:
      return "host";
    case RefusalReason::kOrigin:
      return "origin";
    case RefusalReason::kShop:
      return "x-emptor-shop";
    case RefusalReason::kContentType:
      return "content-type";
    default:
      return "authorization";
  }
}

std::optional<AccessRefusal> CheckHost(const AccessPolicy& policy, const RequestFacts& facts) {
  if (!facts.host) return std::nullopt;
  const std::string host = HostNameOf(*facts.host);
  const bool is_known =
      host == "localhost" || IsIpAddress(host) ||
      std::find(policy.hosts.begin(), policy.hosts.end(), host) != policy.hosts.end();
  if (is_known) return std::nullopt;
  return AccessRefusal{RefusalReason::kHost, 421, "unknown_host",
                       fmt::format("host: {} is not a name of this service: use its address, or "
                                   "add the name to the setting allowed_hosts",
                                   host.substr(0, 100))};
}

Decision Decide(const AccessPolicy& policy, const Principal* principal, const RequestFacts& facts) {
  Decision decision;
  Grant& grant = decision.grant;
  if (auto refusal = CheckHost(policy, facts)) return {std::move(refusal), {}};
  if (auto refusal = CheckOrigin(policy, principal, facts)) return {std::move(refusal), {}};
  if (auto refusal = CheckKey(policy, principal, facts)) return {std::move(refusal), {}};
  if (auto refusal = ChooseShop(principal, facts, grant.shop)) return {std::move(refusal), {}};
  if (auto refusal = CheckContentType(facts)) return {std::move(refusal), {}};
  if (principal != nullptr) {
    grant.key_id = principal->key_id;
    grant.key_kind = principal->kind;
  }
  if (HasOrigin(principal, facts.origin)) grant.cors_origin = std::string(facts.origin);
  return decision;
}

}  // namespace emptor::services
