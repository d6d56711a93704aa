// A queue and its thread, of spdlog.
#include "services/observability/log_queue.h"

#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace emptor::services {

struct LogQueue::Thread {
  std::shared_ptr<spdlog::details::thread_pool> pool;
};

LogQueue::LogQueue(const std::string& name, size_t capacity)
    : thread_(std::make_unique<Thread>(
          Thread{std::make_shared<spdlog::details::thread_pool>(capacity, 1)})),
      logger_(std::make_shared<spdlog::async_logger>(
          name, std::make_shared<spdlog::sinks::stderr_sink_mt>(), thread_->pool,
          spdlog::async_overflow_policy::overrun_oldest)) {}

LogQueue::~LogQueue() = default;

size_t LogQueue::dropped() const { return thread_->pool->overrun_counter(); }

}  // namespace emptor::services
