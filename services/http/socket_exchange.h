// The exchange over a socket: writes one answer, on any thread, and reports when it is written.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "services/http/access_entry.h"
#include "services/http/http_guard.h"
#include "services/http/server_context.h"
#include "services/http/socket.h"

namespace emptor::services {

/// Links an answer in flight to its connection. The answer may be complete before the handler
/// returns or long after: exactly one side notifies the other.
/// Thread-safety: Complete, peer_closed and OnPeerClosed from any thread; the rest by the
/// connection.
class AnswerTicket {
 public:
  /// Complete calls `notify` if the connection waits already.
  AnswerTicket(std::shared_ptr<ServerContext> context, std::function<void()> notify)
      : context_(std::move(context)), notify_(std::move(notify)) {}
  ~AnswerTicket() { Complete(false); }
  AnswerTicket(const AnswerTicket&) = delete;
  AnswerTicket& operator=(const AnswerTicket&) = delete;

  /// The answer is written, or never will be. `reusable`: the connection may carry another request.
  /// Only the first call has an effect.
  void Complete(bool reusable);

  /// True when the answer is complete; otherwise `notify` will be called.
  bool IsCompleteOrWait();
  bool reusable() const { return reusable_.load(std::memory_order_acquire); }

  void MarkPeerClosed();
  bool peer_closed() const { return peer_closed_.load(std::memory_order_acquire); }
  /// Calls `gone` when the peer closes before the answer is complete; at once if it has.
  void OnPeerClosed(std::function<void()> gone);

 private:
  enum Phase { kRunning, kWaiting, kComplete };
  const std::shared_ptr<ServerContext> context_;
  const std::function<void()> notify_;
  std::atomic<bool> called_{false}, reusable_{false}, peer_closed_{false};
  std::atomic<Phase> phase_{kRunning};
  std::mutex mutex_;
  std::function<void()> on_peer_closed_;  // guarded by mutex_
};

/// One request of one connection. Answers are written to the server's duplicate of the descriptor:
/// directly, and through the hub what does not fit into the socket.
class SocketExchange final : public Exchange {
 public:
  SocketExchange(std::shared_ptr<ServerContext> context, GuardedRequest guarded,
                 std::shared_ptr<Socket> socket, std::shared_ptr<AnswerTicket> ticket);
  ~SocketExchange() override;

  const Request& request() const override { return guarded_.request; }
  void Respond(Response response) override;
  std::shared_ptr<StreamSink> StartSse(StreamOptions options) override;
  void OnPeerGone(std::function<void()> gone) override { ticket_->OnPeerClosed(std::move(gone)); }

  /// Answers 503 because the server ends, and cancels the work by the OnPeerGone callback. False
  /// when the request is answered already.
  bool CutOff();

 private:
  void Write(const Response& response);
  void WriteBytes(std::string bytes, bool keep_alive);
  void GiveUp(uint64_t sent_bytes);
  std::shared_ptr<StreamSink> Open(StreamOptions options);
  std::string StreamHead(const StreamOptions& options, bool keep_alive) const;
  bool KeepsAlive() const;

  const std::shared_ptr<ServerContext> context_;
  const GuardedRequest guarded_;
  const std::shared_ptr<Socket> socket_;
  const std::shared_ptr<AnswerTicket> ticket_;
  std::shared_ptr<AccessEntry> access_;  // null: no access log
  std::atomic<bool> answered_{false};
};

}  // namespace emptor::services
