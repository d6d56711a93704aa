// Whether a request may pass: a pure decision from a policy, the caller, and facts of the request.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/auth/access.h"

namespace emptor::services {

/// Who may read and ask without a key.
enum class OpenReading {
  kUntilKeys,  // anybody, as long as no key has been issued
  kAlways,
  kNever,
};

/// What a port demands.
struct AccessPolicy {
  OpenReading reading = OpenReading::kNever;
  /// Names, in lower case and without ports, that the header Host may have. Addresses and localhost
  /// need not be listed: a browser that was led here by a foreign name sends that name.
  std::vector<std::string> hosts = {};
  /// The origin of the public URL, as NormalOrigin writes it; empty: there is none.
  std::string own_origin = {};
};

/// What the header Authorization holds.
enum class Credential {
  kNone,
  kRepeated,  // more than one field
  kUnknown,   // no key of this service, or one that has ended
  kKnown,
};

/// What a decision needs to know of a request. The texts outlive the call.
struct RequestFacts {
  Access access = Access::kAdmin;
  bool changes_state = true;  // any method but GET and HEAD
  bool has_body = false;
  bool has_issued_keys = true;                // a key other than the service's own was ever issued
  std::optional<std::string_view> host = {};  // nothing: HTTP/1.0
  std::string_view origin = {}, fetch_site = {}, content_type = {};
  std::string_view shop = {};    // X-Emptor-Shop
  std::string_view remote = {};  // address of the peer
  Credential credential = Credential::kNone;
};

enum class RefusalReason {
  kHost,
  kOrigin,
  kRepeatedKey,
  kNoKey,
  kUnknownKey,
  kScope,
  kShop,
  kContentType,
};
inline constexpr int kRefusalReasons = 8;
/// "host", "origin", ...: the label of the metric.
std::string_view ToString(RefusalReason reason);
/// The header field that is to blame: "host", "authorization", ...
std::string_view FieldOf(RefusalReason reason);

/// Why a request does not pass. The message says what to do.
struct AccessRefusal {
  RefusalReason reason;
  int status = 403;
  std::string_view code;
  std::string message;
};

/// A request that may pass.
struct Grant {
  std::string shop;  // the one shop that it may reach
  /// The caller's origin, where its page may read the answer (CORS); else empty.
  std::string cors_origin = {};
  std::string key_id = {};  // empty: without a key
  std::optional<KeyKind> key_kind = {};
};

struct Decision {
  std::optional<AccessRefusal> refusal;
  Grant grant;  // where there is no refusal
};

/// Decides. `principal` is null unless the credential is known. Pure: equal inputs give equal
/// decisions.
Decision Decide(const AccessPolicy& policy, const Principal* principal, const RequestFacts& facts);

/// The first check of Decide alone, for the question of a browser whether a page may call a route
/// (CORS preflight): it carries no key.
std::optional<AccessRefusal> CheckHost(const AccessPolicy& policy, const RequestFacts& facts);

}  // namespace emptor::services
