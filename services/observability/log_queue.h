// A logger whose lines a thread writes to standard error.
#pragma once

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <cstddef>
#include <memory>
#include <string>

namespace emptor::services {

/// Whoever logs never waits: when the reader of standard error falls behind, the oldest lines of
/// this queue are dropped. The destructor writes what is queued. Included by log.cc and
/// access_log.cc alone.
class LogQueue {
 public:
  explicit LogQueue(const std::string& name, size_t capacity)
      : thread_(std::make_shared<spdlog::details::thread_pool>(capacity, 1)),
        logger_(std::make_shared<spdlog::async_logger>(
            name, std::make_shared<spdlog::sinks::stderr_sink_mt>(), thread_,
            spdlog::async_overflow_policy::overrun_oldest)) {}

  const std::shared_ptr<spdlog::async_logger>& logger() const { return logger_; }
  size_t dropped() const { return thread_->overrun_counter(); }

 private:
  const std::shared_ptr<spdlog::details::thread_pool> thread_;
  const std::shared_ptr<spdlog::async_logger> logger_;
};

}  // namespace emptor::services
