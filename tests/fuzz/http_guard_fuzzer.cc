// Fuzzes the request checker: no input crashes it, cuts change nothing, and what passes keeps its
// promises.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "services/http/http_guard.h"
#include "services/http/syntax.h"

namespace {

using emptor::services::GuardedRequest;
using emptor::services::HttpGuard;
using emptor::services::HttpGuardLimits;

constexpr HttpGuardLimits kLimits{
    .max_header_bytes = 2048, .max_target_bytes = 512, .max_headers = 16, .max_body_bytes = 4096};

void Require(bool condition) {
  if (!condition) std::abort();
}

/// What came out of all requests of one connection, as text.
struct Outcome {
  std::string requests;
  int refused = 0;
  HttpGuard::Stage stage = HttpGuard::Stage::kIdle;
  bool operator==(const Outcome&) const = default;
};

void CheckPromises(const GuardedRequest& guarded) {
  const auto& request = guarded.request;
  Require(!request.path.empty() && (request.path.front() == '/' || request.path == "*"));
  Require((request.path + "/").find("/../") == std::string::npos);
  Require((request.path + "/").find("/./") == std::string::npos);
  Require(request.path.find_first_of(std::string_view("\0\r\n\\", 4)) == std::string::npos);
  Require(emptor::services::IsUtf8(request.path));
  Require(request.body.size() <= kLimits.max_body_bytes);
  Require(request.headers.size() <= static_cast<size_t>(kLimits.max_headers));
  for (const auto& [name, value] : request.headers) {
    Require(emptor::services::IsToken(name) && name == emptor::services::AsciiLowerCase(name));
    Require(emptor::services::IsFieldValue(value));
  }
  for (const auto& [name, value] : request.query)
    Require(emptor::services::IsUtf8(name) && emptor::services::IsUtf8(value));
}

/// Feeds the bytes in pieces whose lengths `cut` gives.
template <typename Cut>
Outcome Run(std::string_view bytes, Cut cut) {
  Outcome outcome;
  HttpGuard guard(kLimits);
  while (!bytes.empty() && guard.stage() != HttpGuard::Stage::kRefused) {
    std::string_view piece = bytes.substr(0, std::max<size_t>(1, cut()));
    const size_t taken = guard.Feed(piece);
    Require(taken <= piece.size());
    Require(taken > 0 || guard.stage() == HttpGuard::Stage::kRefused);
    bytes.remove_prefix(taken);
    if (guard.stage() != HttpGuard::Stage::kComplete) continue;
    const GuardedRequest guarded = guard.TakeRequest();
    CheckPromises(guarded);
    outcome.requests += guarded.request.method + " " + guarded.request.path + "\n" +
                        guarded.request.body + (guarded.keep_alive ? "\nkeep\n" : "\nclose\n");
  }
  outcome.stage = guard.stage();
  if (outcome.stage == HttpGuard::Stage::kRefused) outcome.refused = guard.refusal().status;
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome whole = Run(bytes, [size] { return size; });
  Require(whole.refused == 0 || (whole.refused >= 400 && whole.refused <= 505));
  const Outcome single = Run(bytes, [] { return size_t{1}; });
  uint32_t state = static_cast<uint32_t>(size) * 2654435761u + 1;
  const Outcome random = Run(bytes, [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<size_t>(state >> 27);
  });
  // A cut may change which of two faults is seen first, never whether there is one.
  Require(single.requests == whole.requests && random.requests == whole.requests);
  Require((single.refused == 0) == (whole.refused == 0));
  Require((random.refused == 0) == (whole.refused == 0));
  if (whole.refused == 0) Require(single == whole && random == whole);
  return 0;
}
