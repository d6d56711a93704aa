// What the settings demand of who calls.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/api/access_gate.h"
#include "services/api/idempotency_gate.h"
#include "services/api/rate_gate.h"
#include "services/app/config.h"
#include "services/auth/audit_log.h"
#include "services/auth/decision.h"
#include "services/auth/key_store.h"
#include "services/observability/metrics.h"

namespace emptor::services {

/// The policy of the ports. Reading without a key ends at a `listen` that other machines reach,
/// unless the settings open it. REQUIRES: `listen` and `open_reading` are valid, as LoadConfig
/// checks.
AccessPolicy AccessPolicyOf(const Config& config);

/// Keys, audit log and the gates of both ports, in building order: each uses those above it.
struct AccessParts {
  std::unique_ptr<KeyStore> keys;
  std::unique_ptr<AuditLog> audit;
  std::shared_ptr<const AccessGate> gate, admin_gate;
};
/// Opens those of the data directory, which is made where it is missing. Errors: of KeyStore::Open
/// and CheckListeners, kUnavailable (the directory).
absl::StatusOr<AccessParts> OpenAccess(const Config& config);

/// Refuses addresses that other machines reach while there are no keys for them: `listen` needs an
/// issued key, `admin_listen` an issued admin key. `insecure` allows it. Errors: kInvalidArgument
/// (no address), kFailedPrecondition, saying what to do.
absl::Status CheckListeners(const Config& config, const KeyStore& keys);

/// True when other machines may reach a listener of that address.
bool IsReachedFromOutside(const ListenAddress& address);

/// The limits of the settings.
RateGateOptions RateGateOptionsOf(const Config& config);
/// Requests beyond the limits, by limit.
std::vector<Sample> RateSamples(const RateGate& rates);
/// Requests with an Idempotency-Key, by what became of them.
std::vector<Sample> RepeatSamples(IdempotencyGate& repeats);

/// Refused requests by reason, over both gates.
std::vector<Sample> RefusalSamples(const AccessParts& access);

}  // namespace emptor::services
