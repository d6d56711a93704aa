// A connected socket that is owned, written to without waiting, and closed once.
#include "services/http/socket.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace emptor::services {

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

Socket::SendResult Socket::Send(std::string_view bytes) const {
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n =
        send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      sent += static_cast<size_t>(n);
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS)) {
      return {SendStatus::kSome, sent};
    } else {
      return {SendStatus::kGone, sent};
    }
  }
  return {SendStatus::kAll, sent};
}

void Socket::ShutdownWrite() const { shutdown(fd_, SHUT_WR); }

void Socket::ShutdownBoth() const { shutdown(fd_, SHUT_RDWR); }

void Socket::Abort() const {
  const linger drop{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd_, SOL_SOCKET, SO_LINGER, &drop, sizeof drop);
  shutdown(fd_, SHUT_RDWR);
}

}  // namespace emptor::services
