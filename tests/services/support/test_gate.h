// The gate of a port with keys of its own, for tests of what lies behind it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "services/api/access_gate.h"
#include "tests/support/child_process.h"

namespace emptor::services::testing {

/// As on a listener of this machine: reading is open, changes need the service's own key. The names
/// of hosts that tests use are known.
class TestGate {
 public:
  TestGate() {
    auto keys = KeyStore::Open(directory_.path());
    if (!keys.ok()) throw std::runtime_error(keys.status().ToString());
    keys_ = *std::move(keys);
    key_ = ReadOwnKey(directory_.path());
    AccessPolicy policy;
    policy.reading = OpenReading::kUntilKeys;
    policy.hosts = {"shop", "shop.test"};
    gate_ = std::make_shared<const AccessGate>(std::move(policy), *keys_);
  }

  const std::shared_ptr<const AccessGate>& gate() const { return gate_; }
  KeyStore& keys() { return *keys_; }
  const std::string& key() const { return key_; }
  /// Adds the service's own key, and a type of the body where it has none.
  void Sign(Request& request) const {
    request.headers.emplace_back("authorization", "Bearer " + key_);
    if (request.Header("content-type").empty()) {
      request.headers.emplace_back("content-type", "application/json");
    }
  }

 private:
  emptor::testing::TemporaryDirectory directory_;
  std::unique_ptr<KeyStore> keys_;
  std::string key_;
  std::shared_ptr<const AccessGate> gate_;
};

}  // namespace emptor::services::testing
