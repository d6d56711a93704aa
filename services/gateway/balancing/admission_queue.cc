// One order for serving and shedding, another for deadlines.
#include "services/gateway/balancing/admission_queue.h"

#include <utility>

namespace emptor::services {

void AdmissionQueue::Push(uint64_t id, PriorityClass priority, TimePoint deadline) {
  const auto place = order_.insert({priority, deadline, ++arrivals_, id}).first;
  places_.emplace(id, place);
  deadlines_.emplace(deadline, id);
}

std::optional<uint64_t> AdmissionQueue::PopExcess() {
  if (order_.size() <= max_waiting_) return std::nullopt;
  const uint64_t shed = std::prev(order_.end())->id;
  Remove(shed);
  return shed;
}

std::optional<uint64_t> AdmissionQueue::PopFirst(const std::function<bool(uint64_t id)>& takes) {
  for (const Entry& entry : order_) {
    const uint64_t id = entry.id;
    if (!takes(id)) continue;
    Remove(id);
    return id;
  }
  return std::nullopt;
}

std::vector<uint64_t> AdmissionQueue::PopLate(TimePoint now) {
  std::vector<uint64_t> late;
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    late.push_back(deadlines_.begin()->second);
    Remove(late.back());
  }
  return late;
}

bool AdmissionQueue::Remove(uint64_t id) {
  const auto found = places_.find(id);
  if (found == places_.end()) return false;
  deadlines_.erase({found->second->deadline, id});
  order_.erase(found->second);
  places_.erase(found);
  return true;
}

std::optional<AdmissionQueue::TimePoint> AdmissionQueue::EarliestDeadline() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

}  // namespace emptor::services
