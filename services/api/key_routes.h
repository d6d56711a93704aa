// Keys on the admin port: list, issue, rotate, revoke.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/api/router.h"
#include "services/auth/key_store.h"
#include "services/workers/worker_pool.h"

namespace emptor::services {

// Each returns one JSON object. A key's own text is in the reply that makes it, and nowhere else.

/// {"keys":[{"id","kind","shop"?,"name"?,"origins"?,"created","expires"?,"revoked"?,"state"}]};
/// state: active, expired or revoked. Times are RFC 3339.
std::string ListKeys(const KeyStore& keys);

/// `json`: {"kind","shop"?,"name"?,"origins"?,"days"?}; without `days` the key does not expire. The
/// reply is a key as in ListKeys, and "key". Errors: kInvalidArgument, kUnavailable.
absl::StatusOr<std::string> IssueKey(KeyStore& keys, std::string_view json);

/// `json`: {"grace_hours"?}, for which the old key stays valid (24). The reply is as IssueKey's.
/// Errors: of KeyStore::Rotate, kInvalidArgument.
absl::StatusOr<std::string> RotateKey(KeyStore& keys, const std::string& id, std::string_view json);

/// The reply is the key as in ListKeys. Errors: of KeyStore::Revoke.
absl::StatusOr<std::string> RevokeKey(KeyStore& keys, const std::string& id);

/// The id of the key in a reply of these; empty: it is a list.
std::string KeyIdIn(const std::string& reply);

/// GET and POST /admin/keys, POST /admin/keys/{id}/rotate and /revoke. Keys and workers outlive the
/// routes.
std::vector<Route> MakeKeyRoutes(KeyStore& keys, WorkerPool& workers);

}  // namespace emptor::services
