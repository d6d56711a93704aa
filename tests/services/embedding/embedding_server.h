// An endpoint in this process that answers as it is told to, over real sockets.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "services/http/exchange.h"
#include "services/http/http_server.h"

namespace emptor::testing {

/// Takes its answers from the front of a queue; without one it answers 500.
class EmbeddingServer {
 public:
  using Answer = std::function<services::Response(const services::Request&)>;

  EmbeddingServer() : server_(std::make_unique<services::HttpServer>()) {
    (void)server_->Start([this](std::shared_ptr<services::Exchange> exchange) {
      exchange->Respond(Next(exchange->request()));
    });
  }
  ~EmbeddingServer() { server_->Stop(); }
  EmbeddingServer(const EmbeddingServer&) = delete;
  EmbeddingServer& operator=(const EmbeddingServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
  void Push(Answer answer) {
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
  }
  void Push(int status, std::string body,
            std::vector<std::pair<std::string, std::string>> headers = {}) {
    Push([=](const services::Request&) {
      services::Response response;
      response.status = status;
      response.body = body;
      response.headers = headers;
      return response;
    });
  }
  std::vector<services::Request> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  services::Response Next(const services::Request& request) {
    Answer answer;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
      if (!answers_.empty()) {
        answer = std::move(answers_.front());
        answers_.pop_front();
      }
    }
    services::Response failed;
    failed.status = 500;
    return answer ? answer(request) : failed;
  }

  mutable std::mutex mutex_;
  std::deque<Answer> answers_;               // guarded by mutex_
  std::vector<services::Request> requests_;  // guarded by mutex_
  std::unique_ptr<services::HttpServer> server_;
};

}  // namespace emptor::testing
