// The listening socket: binds, accepts, and refuses connections when descriptors run out.
#pragma once

#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace emptor::services {

/// Accepts connections on one thread. Pistache's listener is not used: it asks the kernel for a
/// backlog of 128, spins while the process is out of descriptors, and can lose the wake-up that
/// hands a connection to a worker (docs/adr/0001-http-on-pistache.md).
class Acceptor {
 public:
  /// Receives each accepted socket, non-blocking and close-on-exec, and owns it.
  using OnAccept = std::function<void(int fd, const sockaddr_storage& peer)>;

  /// Binds and listens. Port 0 takes a free one. Errors: kInvalidArgument (address, port),
  /// kUnavailable (in use, no permission, no descriptors).
  static absl::StatusOr<std::unique_ptr<Acceptor>> Listen(const std::string& address, int port);

  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  int port() const { return port_; }

  /// Starts the thread. To be called once.
  void Run(OnAccept on_accept);
  /// Ends the thread and closes the listening socket. Idempotent.
  void Stop();

 private:
  Acceptor() = default;
  void Loop(const OnAccept& on_accept);
  void ShedOne();
  void WaitBeforeRetry() const;

  int listen_fd_ = -1;
  int stop_fd_ = -1;
  int spare_fd_ = -1;  // given up for a moment to accept and refuse when descriptors run out
  int port_ = 0;
  std::thread thread_;
};

/// The peer's address without its port, as text.
std::string AddressText(const sockaddr_storage& peer);

}  // namespace emptor::services
