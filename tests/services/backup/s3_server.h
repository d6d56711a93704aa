// A bucket of an S3-compatible store, in this process: keeps objects, and takes a request only when
// its signature, version 4, is right.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "services/http/http_server.h"

namespace emptor::testing {

class S3Server {
 public:
  S3Server();
  ~S3Server();

  int port() const { return server_->port(); }
  std::map<std::string, std::string> objects() const;
  /// The next `count` requests are answered with 503.
  void FailNext(int count) { failures_ = count; }
  int refused() const { return refused_; }

  static constexpr const char* kAccessKey = "EMPTORTEST";
  static constexpr const char* kSecretKey = "a/secret+key";
  static constexpr const char* kRegion = "eu-west-1";

 private:
  services::Response Answer(const services::Request& request);

  mutable std::mutex mutex_;
  std::map<std::string, std::string> objects_;  // guarded by mutex_
  std::atomic<int> failures_{0}, refused_{0};
  std::unique_ptr<services::HttpServer> server_;
};

}  // namespace emptor::testing
