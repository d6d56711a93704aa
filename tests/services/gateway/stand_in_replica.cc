// Plain sockets; chunked streams; connections that serve again.
#include "tests/services/gateway/stand_in_replica.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace emptor::testing {
namespace {

using Mode = StandInReplica::Mode;

constexpr int kSilenceMs = 20000;

bool SendAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool SendChunk(int fd, const std::string& bytes) {
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return SendAll(fd, size + bytes + "\r\n");
}

bool SendWhole(int fd, int status, const std::string& body, const std::string& headers = "") {
  return SendAll(fd, "HTTP/1.1 " + std::to_string(status) +
                         " X\r\nContent-Type: application/json\r\nContent-Length: " +
                         std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body);
}

void Reset(int fd) {
  const linger now{.l_onoff = 1, .l_linger = 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

std::string Event(const std::string& delta, const std::string& finish = "null") {
  return R"(data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":)" +
         delta + R"(,"finish_reason":)" + finish + "}]}\n\n";
}

std::string Word(int i) { return "w" + std::to_string(i) + " "; }

}  // namespace

std::string StandInReplica::TextOf(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += Word(i);
  return text;
}

StandInReplica::StandInReplica(std::string address, int port)
    : address_(std::move(address)), port_(port) {
  Revive();
}

StandInReplica::~StandInReplica() {
  Die();
  for (std::thread& thread : threads_) thread.join();
}

void StandInReplica::Revive() {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int one = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, address_.c_str(), &address.sin_addr);
  address.sin_port = htons(static_cast<uint16_t>(port_));
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener_, 128) != 0) {
    std::abort();
  }
  (void)getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  dead_ = false;
  accepter_ = std::thread([this, fd = listener_] { Accept(fd); });
}

void StandInReplica::Die() {
  if (dead_.exchange(true)) return;
  shutdown(listener_, SHUT_RDWR);
  accepter_.join();
  close(listener_);
  const std::lock_guard lock(mutex_);
  for (const int fd : open_) {
    Reset(fd);
    shutdown(fd, SHUT_RDWR);
  }
}

void StandInReplica::Accept(int listener) {
  while (true) {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const std::lock_guard lock(mutex_);
    open_.push_back(fd);
    threads_.emplace_back([this, fd] { Serve(fd); });
  }
}

void StandInReplica::Serve(int fd) {
  std::string bytes;
  char buffer[8192];
  while (true) {
    const size_t end = bytes.find("\r\n\r\n");
    size_t whole = std::string::npos;
    if (end != std::string::npos) {
      const std::string name = "Content-Length: ";
      const size_t at = bytes.find(name);
      whole = end + 4;
      if (at < end) whole += std::strtoul(bytes.c_str() + at + name.size(), nullptr, 10);
    }
    if (bytes.size() >= whole) {
      const std::string request = bytes.substr(0, whole);
      bytes.erase(0, whole);
      if (!Answer(fd, request)) break;
      continue;
    }
    const ssize_t count = recv(fd, buffer, sizeof buffer, 0);
    if (count <= 0) break;
    bytes.append(buffer, static_cast<size_t>(count));
  }
  {
    const std::lock_guard lock(mutex_);
    open_.remove(fd);
  }
  close(fd);
}

/// False: the client has gone, or the replica dies.
bool StandInReplica::Pause(int fd, int milliseconds) const {
  if (milliseconds == 0) return !dead_;
  pollfd wait{fd, POLLIN | POLLRDHUP, 0};
  return poll(&wait, 1, milliseconds) == 0 && !dead_;
}

bool StandInReplica::AnswerPage(int fd, const std::string& path) {
  std::pair<int, std::string> page{404, R"({"detail":"Not Found"})"};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = pages_.find(path); found != pages_.end()) page = found->second;
  }
  return SendWhole(fd, page.first, page.second);
}

bool StandInReplica::AnswerRaw(int fd) {
  std::string bytes;
  {
    const std::lock_guard lock(mutex_);
    bytes = raw_;
  }
  return SendAll(fd, bytes) && false;
}

/// False: the connection ends.
bool StandInReplica::Answer(int fd, const std::string& request) {
  const Mode mode = mode_;
  if (request.rfind("GET ", 0) == 0) {
    return AnswerPage(fd, request.substr(4, request.find(' ', 4) - 4));
  }
  {
    const std::lock_guard lock(mutex_);
    latest_ = request;
  }
  ++requests_;
  ++generating_;
  const bool is_stream = request.find("\"stream\":true") != std::string::npos;
  bool goes_on = false;
  if (mode == Mode::kSilent) {
    if (!Pause(fd, kSilenceMs)) ++cut_off_;
  } else if (mode == Mode::kError500) {
    goes_on = SendWhole(fd, 500, "{}");
  } else if (mode == Mode::kBusy) {
    goes_on = SendWhole(fd, 503, "{}", "Retry-After: 1\r\n");
  } else if (mode == Mode::kErrorBody) {
    goes_on = SendWhole(fd, 200, R"({"error":{"message":"out of memory"}})");
  } else if (mode == Mode::kRaw) {
    goes_on = AnswerRaw(fd);
  } else if (mode == Mode::kRefusesRequest) {
    goes_on = SendWhole(fd, 400, R"({"error":{"message":"temperature: too hot"}})");
  } else if (is_stream) {
    goes_on = AnswerStream(fd, mode);
  } else if (mode == Mode::kGarbage) {
    goes_on = SendWhole(fd, 200, "<html>");
  } else if (mode != Mode::kWell) {
    SendAll(fd, "HTTP/1.1 200 X\r\nContent-Length: 9999\r\n\r\n{\"choices\":[");
    if (mode == Mode::kRoleThenReset || mode == Mode::kTokensThenReset) Reset(fd);
  } else if (!Pause(fd, tokens_ * pause_ms_)) {
    ++cut_off_;
  } else {
    goes_on = SendWhole(fd, 200,
                        R"({"object":"chat.completion","choices":[{"index":0,"message":)"
                        R"({"role":"assistant","content":")" +
                            TextOf(tokens_) +
                            R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,)"
                            R"("completion_tokens":5}})");
  }
  --generating_;
  return goes_on && !dead_;
}

bool StandInReplica::AnswerStream(int fd, Mode mode) {
  SendAll(
      fd,
      "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
  if (mode == Mode::kHeadThenSilent) return Pause(fd, kSilenceMs) && false;
  if (mode == Mode::kGarbage) return SendChunk(fd, "data: {\"choi\n\n") && false;
  SendChunk(fd, Event(R"({"role":"assistant","content":""})"));
  if (mode == Mode::kRoleThenSilent) return Pause(fd, kSilenceMs) && false;
  if (mode == Mode::kRoleThenReset) {
    Reset(fd);
    return false;
  }
  const int words = mode == Mode::kWell ? tokens_.load() : 2;
  for (int i = 0; i < words; ++i) {
    if (!Pause(fd, pause_ms_) || !SendChunk(fd, Event("{\"content\":\"" + Word(i) + "\"}"))) {
      ++cut_off_;
      Reset(fd);
      return false;
    }
  }
  switch (mode) {
    case Mode::kTokensThenSilent:
      return Pause(fd, kSilenceMs) && false;
    case Mode::kTokensThenReset:
      Pause(fd, 20);  // what was sent arrives
      Reset(fd);
      return false;
    case Mode::kTokensThenClose:
      return false;
    case Mode::kTokensThenEnd:
      return SendAll(fd, "0\r\n\r\n");
    case Mode::kTokensThenDone:
      return SendChunk(fd, "data: [DONE]\n\n") && SendAll(fd, "0\r\n\r\n");
    case Mode::kTokensThenError:
      return SendChunk(fd, "data: {\"error\":{\"message\":\"out of memory\"}}\n\n") && false;
    case Mode::kTokensThenGarbage:
      return SendChunk(fd, "data: {\"choices\":[{\xff}]}\n\n") && false;
    default:
      break;
  }
  return SendChunk(fd, Event("{}", "\"stop\"")) && SendChunk(fd, "data: [DONE]\n\n") &&
         SendAll(fd, "0\r\n\r\n");
}

}  // namespace emptor::testing
