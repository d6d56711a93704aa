// The service's log: one JSON object per line on standard error.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "services/assistant/assistant.h"
#include "services/http/http_server.h"

namespace emptor::services {

enum class LogLevel { kInfo, kWarning, kError };

using LogValue = std::variant<std::string, int64_t, double, bool>;
using LogField = std::pair<std::string_view, LogValue>;

/// Sends spdlog's default log to standard error: standard output belongs to the output of a
/// command. REQUIRES: no other thread has started.
void KeepStandardOutputClean();

/// While it lives, threads write the log: a service whose standard error nobody reads goes on
/// answering, and loses the oldest lines instead. The destructor writes what is queued, and how
/// many lines were dropped. REQUIRES: no other thread logs while it is made or destroyed.
class QueuedLog {
 public:
  QueuedLog();
  ~QueuedLog();
  QueuedLog(const QueuedLog&) = delete;
  QueuedLog& operator=(const QueuedLog&) = delete;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Chooses the lowest level that is written: "info", "warning", "error", "off".
/// False for another name.
bool SetLogLevel(std::string_view level);

/// {"ts":"2026-11-20T12:00:00.123Z","level":"info","event":"started","port":8080}
/// Texts are cut at 512 bytes; control characters are escaped.
void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields);

/// The line itself. `timestamp` is written as it is.
std::string FormatLogLine(std::string_view timestamp, LogLevel level, std::string_view event,
                          std::span<const LogField> fields);
inline std::string FormatLogLine(std::string_view timestamp, LogLevel level, std::string_view event,
                                 std::initializer_list<LogField> fields) {
  return FormatLogLine(timestamp, level, event, std::span(fields.begin(), fields.size()));
}

/// Now, as it stands in a line: "2026-11-20T12:00:00.123Z".
std::string LogTimestamp();

/// The line of a service that has stopped: how many requests finished, how many were cut.
void LogStop(const DrainReport& report);

/// One line for an answer: ids, step, tokens, timings, drops. No text of the shopper.
void LogAnswer(const AnswerRecord& answer);

}  // namespace emptor::services
