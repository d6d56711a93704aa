// The exchange over a socket: writes one answer, on whatever thread, and reports when it is out.
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

/// The link between an answer in flight and the connection that waits for it. The answer may be
/// out before the handler has returned, or long after: exactly one side learns of the other.
/// Thread-safety: Complete and peer_closed from any thread, once the rest by the connection.
class AnswerTicket {
 public:
  /// `notify` is called by Complete if the connection is waiting already.
  AnswerTicket(std::shared_ptr<ServerContext> context, std::function<void()> notify)
      : context_(std::move(context)), notify_(std::move(notify)) {}
  ~AnswerTicket() { Complete(false); }
  AnswerTicket(const AnswerTicket&) = delete;
  AnswerTicket& operator=(const AnswerTicket&) = delete;

  /// The answer is out, or never will be. `reusable`: the connection may carry another request.
  /// Only the first call counts.
  void Complete(bool reusable);

  /// True when the answer is out already; else `notify` will be called.
  bool IsCompleteOrWait();
  bool reusable() const { return reusable_.load(std::memory_order_acquire); }

  void MarkPeerClosed();
  bool peer_closed() const { return peer_closed_.load(std::memory_order_acquire); }
  /// Calls `gone` when the peer closes before the answer is out; at once if it has.
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

/// One request of one connection. Answers go through the server's own duplicate of the descriptor:
/// straight into the socket, and through the hub what does not fit.
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
