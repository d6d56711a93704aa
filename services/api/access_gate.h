// The gate of a port: lets a request pass by its route's access, or answers with the refusal.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "services/auth/audit_log.h"
#include "services/auth/decision.h"
#include "services/auth/key_store.h"
#include "services/http/exchange.h"

namespace emptor::services {

/// The header of an answer that names the key that was made or ended: the audit log notes it.
inline constexpr std::string_view kKeyIdHeader = "X-Key-Id";

/// Reads the facts of a request, looks up its key, asks Decide, and does what that says. Keys and
/// log outlive the gate. Thread-safety: const methods from any thread.
class AccessGate {
 public:
  /// `audit` null: nothing is recorded.
  AccessGate(AccessPolicy policy, const KeyStore& keys, AuditLog* audit = nullptr);

  /// What the request may do. Nothing: the exchange was answered. Wraps the exchange where the
  /// answer needs headers for a page of another origin, or is recorded: every change through a
  /// route of Access::kAdmin; and where the caller of an open route may read (Exchange::may_read).
  std::optional<Grant> Admit(Access access, std::shared_ptr<Exchange>& exchange) const;

  /// Answers the question of a browser whether a page of another origin may call a route: yes where
  /// a living browser key lists that origin and may call it.
  void AnswerPreflight(Access access, Exchange& exchange) const;

  /// Requests that were refused for the reason.
  uint64_t refused(RefusalReason reason) const;

 private:
  void Refuse(const AccessRefusal& refusal, Exchange& exchange) const;

  const AccessPolicy policy_;
  const KeyStore& keys_;
  AuditLog* const audit_;
  mutable std::array<std::atomic<uint64_t>, kRefusalReasons> refused_{};
};

}  // namespace emptor::services
