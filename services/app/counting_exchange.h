// An exchange that reports how it was answered, for metrics.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "services/http/exchange.h"

namespace emptor::services {

/// Forwards every call to the inner exchange.
class CountingExchange final : public Exchange {
 public:
  /// `on_answer(status, seconds)` is called once, by Respond or StartSse.
  using OnAnswer = std::function<void(int status, double seconds)>;
  CountingExchange(std::shared_ptr<Exchange> inner, OnAnswer on_answer)
      : inner_(std::move(inner)),
        on_answer_(std::move(on_answer)),
        begun_(std::chrono::steady_clock::now()) {}

  const Request& request() const override { return inner_->request(); }
  void CountTokens(int64_t tokens) override { inner_->CountTokens(tokens); }
  void Respond(Response response) override {
    Report(response.status);
    inner_->Respond(std::move(response));
  }
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override {
    auto sink = inner_->StartSse(std::move(options));
    Report(sink == nullptr ? 503 : 200);
    return sink;
  }
  void OnPeerGone(std::function<void()> gone) override { inner_->OnPeerGone(std::move(gone)); }

 private:
  void Report(int status) const {
    const auto elapsed = std::chrono::steady_clock::now() - begun_;
    on_answer_(status, std::chrono::duration<double>(elapsed).count());
  }

  const std::shared_ptr<Exchange> inner_;
  const OnAnswer on_answer_;
  const std::chrono::steady_clock::time_point begun_;
};

}  // namespace emptor::services
