// A connected socket that is owned, written to without waiting, and closed once.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace emptor::services {

/// One descriptor of a connected stream socket. The server holds a duplicate of each connection's
/// descriptor in such a Socket, so that its number cannot come to mean another client while
/// somebody still writes to it.
/// Thread-safety: the calls are single system calls; that two writers do not mix their bytes is the
/// business of the one exchange that a connection has at a time.
class Socket {
 public:
  enum class SendStatus { kAll, kSome, kGone };
  struct SendResult {
    SendStatus status;
    size_t sent;
  };

  explicit Socket(int fd) : fd_(fd) {}
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  int fd() const { return fd_; }

  /// Writes what fits now: all of it, some of it (also nothing), or kGone when the peer is.
  SendResult Send(std::string_view bytes) const;

  /// Ends the sending direction; what the peer sends can still be read.
  void ShutdownWrite() const;
  /// Ends both directions; the poller of the connection sees its end.
  void ShutdownBoth() const;
  /// Ends it so that the kernel drops what the peer has not taken, with a reset at the last close.
  void Abort() const;

 private:
  const int fd_;
};

}  // namespace emptor::services
