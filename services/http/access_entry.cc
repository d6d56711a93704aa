// What an access log learns of a request.
#include "services/http/access_entry.h"

#include "services/http/trace_context.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxPath = 256, kMaxUserAgent = 80, kMaxShop = 64;

std::string_view Find(const AccessEntry::Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace

AccessEntry::AccessEntry(const AccessObserver& observer, std::string_view method,
                         std::string_view path, const Headers& headers, std::string_view remote,
                         std::string_view request_id)
    : observer_(observer) {
  record_.method = method;
  record_.path = path.substr(0, kMaxPath);
  record_.request_id = request_id;
  record_.peer = remote;
  record_.shop = Find(headers, "x-emptor-shop").substr(0, kMaxShop);
  record_.trace_id = TraceIdOf(Find(headers, "traceparent"));
  record_.user_agent = Find(headers, "user-agent").substr(0, kMaxUserAgent);
}

void AccessEntry::SetStatus(int status, bool is_stream) {
  record_.status = status;
  record_.is_stream = is_stream;
}

void AccessEntry::Report(uint64_t bytes, StreamEnd end) {
  if (std::exchange(is_reported_, true)) return;
  const auto elapsed = std::chrono::steady_clock::now() - begun_;
  record_.seconds = std::chrono::duration<double>(elapsed).count();
  record_.bytes = bytes;
  record_.end = end;
  observer_(record_);
}

}  // namespace emptor::services
