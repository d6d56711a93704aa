// Virtual token counters.
#include "engine/scheduler/tenants.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace emptor::engine {
namespace {

constexpr size_t kMinRemembered = 64, kMaxRemembered = 4096;

}  // namespace

uint64_t Tenants::LeastServed() const {
  uint64_t least = std::numeric_limits<uint64_t>::max();
  for (const auto& [name, tenant] : tenants_) {
    if (tenant.present > 0) least = std::min(least, tenant.served);
  }
  return least;
}

/// An inactive tenant that was served less than all active ones would be lifted to their level
/// anyway. Beyond the bound the other inactive ones go as well.
void Tenants::ForgetSettled() {
  const uint64_t least = LeastServed();
  const bool full = tenants_.size() > kMaxRemembered;
  std::erase_if(tenants_, [&](const auto& item) {
    return item.second.present == 0 && (full || item.second.served <= least);
  });
}

Tenants::Tenant* Tenants::Enter(const std::string& name) {
  const auto [found, is_new] = tenants_.try_emplace(name);
  Tenant& tenant = found->second;
  if (is_new) tenant.number = ++last_number_;
  if (tenant.present == 0) {
    if (present_ > 0) tenant.served = std::max(tenant.served, LeastServed());
    ++present_;
  }
  ++tenant.present;
  return &tenant;
}

void Tenants::Leave(const std::string& name) {
  const auto found = tenants_.find(name);
  assert(found != tenants_.end() && found->second.present > 0);
  if (--found->second.present > 0) return;
  --present_;
  if (present_ == 0) {
    tenants_.clear();
  } else if (tenants_.size() > forget_at_) {
    ForgetSettled();
    forget_at_ = std::clamp(2 * tenants_.size(), kMinRemembered, kMaxRemembered);
  }
}

}  // namespace emptor::engine
