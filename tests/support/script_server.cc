// Plain sockets.
#include "tests/support/script_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace emptor::testing {
namespace {

constexpr int kPatienceMs = 30000;

/// The request with its body; what came of it where the client leaves.
std::string ReadRequest(int fd) {
  std::string request;
  size_t whole = std::string::npos;
  char buffer[4096];
  while (request.size() < whole) {
    const ssize_t count = recv(fd, buffer, sizeof buffer, 0);
    if (count <= 0) return request;
    request.append(buffer, static_cast<size_t>(count));
    const size_t end = request.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    const std::string name = "Content-Length: ";
    const size_t at = request.find(name);
    whole =
        end + 4 + (at < end ? std::strtoul(request.c_str() + at + name.size(), nullptr, 10) : 0);
  }
  return request;
}

}  // namespace

bool ScriptConnection::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool ScriptConnection::WaitForClose() const {
  char buffer[256];
  while (true) {
    pollfd wait{fd_, POLLIN, 0};
    if (poll(&wait, 1, kPatienceMs) <= 0) return false;
    if (recv(fd_, buffer, sizeof buffer, 0) <= 0) return true;
  }
}

ScriptServer::ScriptServer() {
  listener_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  (void)bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
  (void)listen(listener_, 64);
  (void)getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  accepter_ = std::thread([this] { Accept(); });
}

ScriptServer::~ScriptServer() {
  shutdown(listener_, SHUT_RDWR);
  accepter_.join();
  close(listener_);
  for (std::thread& thread : threads_) thread.join();
}

void ScriptServer::Push(Script script) {
  const std::lock_guard lock(mutex_);
  scripts_.push_back(std::move(script));
}

void ScriptServer::Push(std::string bytes) {
  Push([bytes = std::move(bytes)](const ScriptConnection& connection) { connection.Send(bytes); });
}

std::vector<std::string> ScriptServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ScriptServer::Accept() {
  while (true) {
    const int fd = accept(listener_, nullptr, nullptr);
    if (fd < 0) return;
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, fd] { Serve(fd); });
  }
}

void ScriptServer::Serve(int fd) {
  std::string request = ReadRequest(fd);
  Script script;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    if (!scripts_.empty()) {
      script = std::move(scripts_.front());
      scripts_.pop_front();
    }
  }
  const ScriptConnection connection(fd, std::move(request));
  if (script) {
    script(connection);
  } else {
    connection.Send(HttpAnswer(500, "application/json", "{}"));
  }
  shutdown(fd, SHUT_WR);
  close(fd);
}

std::string HttpAnswer(int status, const std::string& content_type, const std::string& body,
                       const std::string& more_headers) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: " + content_type +
         "\r\nConnection: close\r\n" + more_headers + "\r\n" + body;
}

}  // namespace emptor::testing
