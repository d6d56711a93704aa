// JSON lines through spdlog.
#include "services/observability/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <chrono>
#include <memory>

#include "catalog/encoding/json.h"
#include "services/grounding/text_clean.h"
#include "services/observability/log_queue.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxText = 512;
constexpr size_t kMaxQueued = 4096;  // lines
constexpr std::array<std::string_view, 3> kLevelNames = {"info", "warning", "error"};

std::shared_ptr<spdlog::logger> MakeDirectLogger(const std::string& name) {
  return std::make_shared<spdlog::logger>(name, std::make_shared<spdlog::sinks::stderr_sink_mt>());
}

/// The logger of Log. Replaced only while no other thread runs.
std::shared_ptr<spdlog::logger>& CurrentLogger() {
  static std::shared_ptr<spdlog::logger> logger = [] {
    auto made = MakeDirectLogger("emptor");
    made->set_pattern("%v");
    return made;
  }();
  return logger;
}
spdlog::logger& Logger() { return *CurrentLogger(); }

spdlog::level::level_enum LevelOf(LogLevel level) {
  switch (level) {
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kInfo:
      break;
  }
  return spdlog::level::info;
}

struct ValueWriter {
  catalog::JsonWriter& writer;
  void operator()(const std::string& text) const { writer.String(CutAtCharacter(text, kMaxText)); }
  void operator()(int64_t value) const { writer.Int(value); }
  void operator()(double value) const { writer.Double(value); }
  void operator()(bool value) const { writer.Bool(value); }
};

}  // namespace

std::string LogTimestamp() {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now - seconds);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     milliseconds.count());
}

void KeepStandardOutputClean() { spdlog::set_default_logger(MakeDirectLogger("")); }

struct QueuedLog::Impl {
  LogQueue events{"emptor", kMaxQueued};
  LogQueue library{"", kMaxQueued};  // what catalog, engine and retrieval log through spdlog
  std::shared_ptr<spdlog::logger> direct = CurrentLogger();
};

QueuedLog::QueuedLog() : impl_(std::make_unique<Impl>()) {
  impl_->events.logger()->set_pattern("%v");
  impl_->events.logger()->set_level(Logger().level());
  CurrentLogger() = impl_->events.logger();
  spdlog::set_default_logger(impl_->library.logger());
}

QueuedLog::~QueuedLog() {
  CurrentLogger() = impl_->direct;
  KeepStandardOutputClean();
  const size_t dropped = impl_->events.dropped() + impl_->library.dropped();
  impl_.reset();  // writes what is queued
  if (dropped == 0) return;
  Log(LogLevel::kWarning, "log_dropped", {{"lines", static_cast<int64_t>(dropped)}});
}

bool SetLogLevel(std::string_view level) {
  if (level == "off") {
    Logger().set_level(spdlog::level::off);
    return true;
  }
  for (size_t i = 0; i < kLevelNames.size(); ++i) {
    if (kLevelNames[i] != level) continue;
    Logger().set_level(LevelOf(static_cast<LogLevel>(i)));
    return true;
  }
  return false;
}

std::string FormatLogLine(std::string_view timestamp, LogLevel level, std::string_view event,
                          std::span<const LogField> fields) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("ts", timestamp);
  writer.Member("level", kLevelNames[static_cast<size_t>(level)]).Member("event", event);
  for (const auto& [name, value] : fields) {
    writer.Key(name);
    std::visit(ValueWriter{writer}, value);
  }
  writer.EndObject();
  return writer.Take();
}

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!Logger().should_log(LevelOf(level))) return;
  Logger().log(LevelOf(level), "{}", FormatLogLine(LogTimestamp(), level, event, fields));
}

void LogStop(const DrainReport& report) {
  Log(LogLevel::kInfo, "stopped",
      {{"finished", static_cast<int64_t>(report.finished)},
       {"cut", static_cast<int64_t>(report.cut)}});
}

void LogAnswer(const AnswerRecord& answer) {
  const DoneEvent& done = answer.done;
  Log(answer.status.ok() ? LogLevel::kInfo : LogLevel::kWarning, "answer",
      {{"request_id", answer.request_id},
       {"id", answer.id},
       {"model", answer.model},
       {"prompt_version", std::string(kPromptVersion)},
       {"prompt_hash", answer.prompt_hash},
       {"step", answer.answer_step},
       {"finish_reason", answer.finish_reason},
       {"abandoned", answer.abandoned},
       {"from_cache", answer.is_recalled},
       {"status", answer.status.ok() ? std::string("OK") : answer.status.ToString()},
       {"products", static_cast<int64_t>(answer.products)},
       {"acts", static_cast<int64_t>(answer.acts)},
       {"prompt_tokens", static_cast<int64_t>(done.prompt_tokens)},
       {"completion_tokens", static_cast<int64_t>(done.completion_tokens)},
       {"ttft_ms", done.timings.ttft},
       {"total_ms", done.timings.total},
       {"references", static_cast<int64_t>(answer.hydrator.references)},
       {"dropped", static_cast<int64_t>(answer.hydrator.dropped)},
       {"model_references", static_cast<int64_t>(answer.form.references)},
       {"wrong_references", static_cast<int64_t>(answer.form.wrong_references)},
       {"sentences_kept", static_cast<int64_t>(answer.claims.kept)},
       {"sentences_refused", static_cast<int64_t>(answer.claims.dropped)}});
}

}  // namespace emptor::services
