// An exchange that reports how it was answered, for metrics.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
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

}  // namespace emptor::services
