// Requests that wait for a replica with room: by class, then by deadline.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace emptor::services {

/// What is served first, and shed last.
enum class PriorityClass { kInteractive, kStandard, kBatch };

/// Holds at most `max_waiting` requests once PopExcess has returned nothing. Thread-safety: one
/// thread.
class AdmissionQueue {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit AdmissionQueue(size_t max_waiting) : max_waiting_(max_waiting) {}

  /// Adds a request. REQUIRES: no request of that id waits.
  void Push(uint64_t id, PriorityClass priority, TimePoint deadline);
  /// When there are too many, removes and returns the one that is shed: the latest deadline of the
  /// lowest class. Apart from Push, so that a request that a replica can take is never shed.
  std::optional<uint64_t> PopExcess();
  /// Removes the first request for which `takes` is true and returns it; higher classes first, then
  /// earlier deadlines, then arrival. `takes` must not change the queue.
  std::optional<uint64_t> PopFirst(const std::function<bool(uint64_t id)>& takes);
  /// Removes and returns those whose deadline has passed.
  std::vector<uint64_t> PopLate(TimePoint now);
  /// False: it does not wait.
  bool Remove(uint64_t id);

  std::optional<TimePoint> EarliestDeadline() const;
  size_t size() const { return order_.size(); }

 private:
  struct Entry {
    PriorityClass priority = PriorityClass::kStandard;
    TimePoint deadline{};
    uint64_t arrival = 0, id = 0;
    auto operator<=>(const Entry&) const = default;
  };

  const size_t max_waiting_;
  uint64_t arrivals_ = 0;
  std::set<Entry> order_;
  std::set<std::pair<TimePoint, uint64_t>> deadlines_;
  std::map<uint64_t, std::set<Entry>::iterator> places_;
};

}  // namespace emptor::services
