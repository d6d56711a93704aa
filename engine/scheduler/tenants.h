// Work done for each tenant.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace emptor::engine {

/// Counts the service of each tenant, so that the least served one is next. A tenant that arrives
/// or returns starts at the level of the least served active tenant: idle time earns no credit, and
/// leaving clears no debt.
/// Thread-safety: one thread. Source: Sheng et al. 2024, arXiv:2401.00588, algorithm 2.
class Tenants {
 public:
  struct Tenant {
    int number = 0;       // names it in a snapshot
    uint64_t served = 0;  // work
    int present = 0;      // sequences that wait or run
  };

  /// One more sequence of the tenant. The pointer lives until as many Leave as Enter were called.
  Tenant* Enter(const std::string& name);
  void Leave(const std::string& name);

  /// Tenants in memory; inactive ones are forgotten once that makes no difference.
  int size() const { return static_cast<int>(tenants_.size()); }

 private:
  uint64_t LeastServed() const;
  void ForgetSettled();

  std::unordered_map<std::string, Tenant> tenants_;  // its elements stay where they are
  int present_ = 0;                                  // active tenants
  size_t forget_at_ = 64;                            // size beyond which it is looked through
  int last_number_ = 0;
};

}  // namespace emptor::engine
