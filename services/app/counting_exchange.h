// Exchanges that report how they were answered, for metrics, and who asks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "services/http/forwarding_exchange.h"

namespace emptor::services {

class CountingExchange final : public ForwardingExchange {
 public:
  /// `on_answer(status, seconds)` is called once, by Respond or StartSse.
  using OnAnswer = std::function<void(int status, double seconds)>;
  CountingExchange(std::shared_ptr<Exchange> inner, OnAnswer on_answer)
      : ForwardingExchange(std::move(inner)),
        on_answer_(std::move(on_answer)),
        begun_(std::chrono::steady_clock::now()) {}

  void Respond(Response response) override {
    Report(response.status);
    inner().Respond(std::move(response));
  }
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override {
    auto sink = inner().StartSse(std::move(options));
    Report(sink == nullptr ? 503 : 200);
    return sink;
  }

 private:
  void Report(int status) const {
    const auto elapsed = std::chrono::steady_clock::now() - begun_;
    on_answer_(status, std::chrono::duration<double>(elapsed).count());
  }

  const OnAnswer on_answer_;
  const std::chrono::steady_clock::time_point begun_;
};

/// An exchange that knows the id of its key.
class CallerExchange : public ForwardingExchange {
 public:
  CallerExchange(std::shared_ptr<Exchange> inner, std::string caller)
      : ForwardingExchange(std::move(inner)), caller_(std::move(caller)) {}
  std::string_view caller() const override { return caller_; }

 private:
  const std::string caller_;
};

}  // namespace emptor::services
