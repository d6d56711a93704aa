// An exchange in front of another one: what a subclass does not override is passed on.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "services/http/exchange.h"

namespace emptor::services {

class ForwardingExchange : public Exchange {
 public:
  explicit ForwardingExchange(std::shared_ptr<Exchange> inner) : inner_(std::move(inner)) {}

  const Request& request() const override { return inner_->request(); }
  std::string_view caller() const override { return inner_->caller(); }
  bool may_read() const override { return inner_->may_read(); }
  bool ReserveTokens() override { return inner_->ReserveTokens(); }
  void CountTokens(int64_t tokens) override { inner_->CountTokens(tokens); }
  void Respond(Response response) override { inner_->Respond(std::move(response)); }
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override {
    return inner_->StartSse(std::move(options));
  }
  void OnPeerGone(std::function<void()> gone) override { inner_->OnPeerGone(std::move(gone)); }

 protected:
  Exchange& inner() const { return *inner_; }

 private:
  const std::shared_ptr<Exchange> inner_;
};

/// Passes on answers of status 400 and above in another form.
class ErrorFormExchange final : public ForwardingExchange {
 public:
  using Rewrite = std::function<void(const Request&, Response&)>;

  ErrorFormExchange(std::shared_ptr<Exchange> inner, Rewrite rewrite)
      : ForwardingExchange(std::move(inner)), rewrite_(std::move(rewrite)) {}

  void Respond(Response response) override {
    if (response.status >= 400) rewrite_(request(), response);
    inner().Respond(std::move(response));
  }

 private:
  const Rewrite rewrite_;
};

}  // namespace emptor::services
