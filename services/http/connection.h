// One client connection: splits its bytes into requests, answers them in order, enforces deadlines.
// Independent of the library that polls the socket.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "services/http/http_guard.h"
#include "services/http/server_context.h"
#include "services/http/socket.h"
#include "services/http/socket_exchange.h"

namespace emptor::services {

/// Reads requests through a guard and passes them to the handler one at a time. What a client sends
/// while its answer is in flight is held back, so that two answers never mix.
/// Thread-safety: its worker's thread only. Callers pass the time.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  /// `notify_answered` is called from any thread when OnAnswered is due.
  Connection(std::shared_ptr<ServerContext> context, std::shared_ptr<Socket> socket,
             std::string remote, std::function<void()> notify_answered, Clock::time_point now);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void OnBytes(std::string_view bytes, Clock::time_point now);
  /// The answer in flight is written: reads what was held back.
  void OnAnswered(Clock::time_point now);
  /// Checks the deadlines: answers 408, once, to a request that takes too long. False when the
  /// connection is to be closed now.
  bool OnTick(Clock::time_point now);

 private:
  enum class Phase {
    kReading,    // waiting for a request or inside one
    kAnswering,  // an exchange is out
    kLingering,  // the last answer is written; reads on so that the client receives it
  };

  void Read(std::string_view bytes, Clock::time_point now);
  void Dispatch(Clock::time_point now);
  void CallHandler(std::shared_ptr<Exchange> exchange) const;
  void FinishAnswer(Clock::time_point now);
  void Refuse(const Refusal& refusal, Clock::time_point now);
  void Linger(Clock::time_point now);
  void HoldBack(std::string_view bytes);
  void ResetDeadline(Clock::time_point now);
  std::chrono::milliseconds TimeOfBody() const;
  /// Brings this connection's part of the sum of all up to what it holds. False when that would
  /// exceed the bound of the sum: then nothing is added, and the caller gives up what it holds.
  bool CountHeldBytes();

  const std::shared_ptr<ServerContext> context_;
  const std::shared_ptr<Socket> socket_;
  const std::string remote_;
  const std::function<void()> notify_answered_;
  HttpGuard guard_;
  Phase phase_ = Phase::kReading;
  Clock::time_point deadline_;
  std::shared_ptr<AnswerTicket> ticket_;  // of the answer in flight
  std::string held_;                      // came while the answer was in flight
  bool held_too_much_ = false;
  size_t counted_bytes_ = 0;  // this connection's part of context_->unfinished_bytes
  size_t lingered_bytes_ = 0;
};

}  // namespace emptor::services
