// Any text as Host, Origin, Content-Type and Authorization: no reader fails, a normal form is
// stable, and nothing but an address, localhost or a listed name is a host of the service.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "services/auth/decision.h"
#include "services/auth/web_origin.h"

namespace {

using namespace emptor::services;  // NOLINT: all of it is under test

void CheckOrigin(std::string_view text) {
  const auto normal = NormalOrigin(text);
  if (!normal) return;
  if (NormalOrigin(*normal) != normal) std::abort();
  const std::string_view authority = std::string_view(*normal).substr(normal->find("://") + 3);
  if (!IsSameOrigin(text, authority)) std::abort();
}

void CheckMediaType(std::string_view text) {
  const std::string type = MediaTypeOf(text);
  if (!type.empty() && MediaTypeOf(type) != type) std::abort();
}

void CheckDecision(std::string_view text) {
  RequestFacts facts;
  facts.access = Access::kAsk;
  facts.host = facts.origin = facts.fetch_site = facts.content_type = facts.shop = facts.remote =
      text;
  AccessPolicy policy;
  policy.reading = OpenReading::kAlways;
  if (Decide(policy, nullptr, facts).refusal) return;
  const std::string host = HostNameOf(text);
  if (host != "localhost" && !IsIpAddress(host)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckOrigin(text);
  CheckMediaType(text);
  CheckDecision(text);
  static_cast<void>(BearerOf(text));
  return 0;
}
