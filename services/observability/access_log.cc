// The access log through a queue.
#include "services/observability/access_log.h"

#include <fmt/format.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "services/observability/log.h"
#include "services/observability/log_queue.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxQueued = 1024;

std::string EncodedPath(std::string_view path) {
  std::string encoded;
  for (const char c : path) {
    if (c > ' ' && c < '\x7f') {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

/// Who knows the id of a conversation without an owner may read it: it is no matter of a log.
std::string WithoutId(std::string_view path) {
  for (const std::string_view prefix : {"/v1/conversations/", "/v1/assist/"}) {
    if (!path.starts_with(prefix)) continue;
    const size_t end = std::min(path.find('/', prefix.size()), path.size());
    return fmt::format("{}{{id}}{}", prefix, path.substr(end));
  }
  return std::string(path);
}

/// The text with a question mark for each byte that is not printable ASCII.
std::string Printable(std::string_view text) {
  std::string printable(text);
  for (char& c : printable) {
    if (c < ' ' || c >= '\x7f') c = '?';
  }
  return printable;
}

std::string NameOf(StreamEnd end) {
  switch (end) {
    case StreamEnd::kPeerGone:
      return "peer_gone";
    case StreamEnd::kOverflow:
      return "overflow";
    case StreamEnd::kStalled:
      return "stalled";
    case StreamEnd::kShutdown:
      return "shutdown";
    case StreamEnd::kFinished:
      break;
  }
  return "finished";
}

struct AccessLog {
  AccessLog() { queue.logger()->set_pattern("%v"); }
  ~AccessLog() {
    if (queue.dropped() == 0) return;
    Log(LogLevel::kWarning, "access_log_dropped",
        {{"lines", static_cast<int64_t>(queue.dropped())}});
  }
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  LogQueue queue{"access", kMaxQueued};
};

}  // namespace

AccessObserver MakeAccessLog() {
  return [log = std::make_shared<AccessLog>()](const AccessRecord& record) {
    log->queue.logger()->info("{}", FormatAccessLine(LogTimestamp(), record));
  };
}

std::string FormatAccessLine(std::string_view timestamp, const AccessRecord& record) {
  std::vector<LogField> fields = {{"method", record.method},
                                  {"path", EncodedPath(WithoutId(record.path))},
                                  {"status", static_cast<int64_t>(record.status)},
                                  {"bytes", static_cast<int64_t>(record.bytes)},
                                  {"seconds", record.seconds},
                                  {"request_id", record.request_id},
                                  {"peer", record.peer}};
  if (!record.trace_id.empty()) fields.emplace_back("trace_id", record.trace_id);
  if (!record.shop.empty()) fields.emplace_back("shop", Printable(record.shop));
  if (!record.user_agent.empty()) fields.emplace_back("user_agent", Printable(record.user_agent));
  if (record.is_stream) fields.emplace_back("stream", true);
  fields.emplace_back("end", NameOf(record.end));
  return FormatLogLine(timestamp, LogLevel::kInfo, "request", fields);
}

}  // namespace emptor::services
