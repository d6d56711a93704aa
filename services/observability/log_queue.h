// A logger whose lines a thread writes to standard error.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace emptor::services {

/// Whoever logs never waits: when the reader of standard error falls behind, the oldest lines of
/// this queue are dropped. The destructor writes what is queued. Included by log.cc and
/// access_log.cc alone.
class LogQueue {
 public:
  LogQueue(const std::string& name, size_t capacity);
  ~LogQueue();
  LogQueue(const LogQueue&) = delete;
  LogQueue& operator=(const LogQueue&) = delete;

  const std::shared_ptr<spdlog::logger>& logger() const { return logger_; }
  size_t dropped() const;

 private:
  struct Thread;
  const std::unique_ptr<Thread> thread_;
  const std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace emptor::services
