// The service's log: one JSON object a line on standard error, whatever the text in it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "services/assistant/assistant.h"
#include "services/http/exchange.h"

namespace emptor::services {

enum class LogLevel { kInfo, kWarning, kError };

using LogValue = std::variant<std::string, int64_t, double, bool>;
using LogField = std::pair<std::string_view, LogValue>;

/// Sends what shops and libraries say by spdlog to standard error, too: standard output is a
/// command's own. REQUIRES: called before any thread is started.
void KeepStandardOutputClean();

/// Chooses the lowest level that is written: "info", "warning", "error", "off".
/// False for another name.
bool SetLogLevel(std::string_view level);

/// {"ts":"2026-11-20T12:00:00.123Z","level":"info","event":"started","port":8080}
/// Texts are cut at 512 bytes; control characters leave as escapes.
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

/// One line for an answer: ids, step, tokens, timings, drops. No word of the shopper's.
void LogAnswer(const AnswerRecord& answer);

}  // namespace emptor::services
