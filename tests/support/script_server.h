// An HTTP server that misbehaves as a test says: it writes bytes, pauses and closes as scripted.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace emptor::testing {

/// One accepted connection whose request has been read.
class ScriptConnection {
 public:
  ScriptConnection(int fd, std::string request) : fd_(fd), request_(std::move(request)) {}
  /// Head and body as they came.
  const std::string& request() const { return request_; }
  /// False once the client is gone.
  bool Send(std::string_view bytes) const;
  /// Waits until the client has closed, at most 30 s. False: it has not.
  bool WaitForClose() const;

 private:
  const int fd_;
  const std::string request_;
};

/// Runs one script a connection, in the order in which they were pushed, each on its own thread;
/// the connection is closed when the script returns. Without a script it answers 500.
class ScriptServer {
 public:
  using Script = std::function<void(const ScriptConnection&)>;

  ScriptServer();
  ~ScriptServer();  // waits for the scripts
  ScriptServer(const ScriptServer&) = delete;
  ScriptServer& operator=(const ScriptServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  void Push(Script script);
  /// Sends these bytes.
  void Push(std::string bytes);
  std::vector<std::string> requests() const;

 private:
  void Accept();
  void Serve(int fd);

  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::deque<Script> scripts_;         // guarded by mutex_
  std::vector<std::string> requests_;  // guarded by mutex_
  std::vector<std::thread> threads_;   // guarded by mutex_
  std::thread accepter_;
};

/// "HTTP/1.1 200 OK" with a body that ends with the connection.
std::string HttpAnswer(int status, const std::string& content_type, const std::string& body,
                       const std::string& more_headers = "");

}  // namespace emptor::testing
