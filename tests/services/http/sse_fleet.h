// Many event streams read by one thread, each checked for every event once and in order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace emptor::testing {

/// How long events were under way, counted in steps of a tenth of a millisecond. Memory is fixed.
class DelayHistogram {
 public:
  void Add(int64_t nanoseconds);
  /// Milliseconds below which that share of the delays lies.
  double Quantile(double share) const;
  uint64_t count() const { return count_; }

 private:
  std::vector<uint64_t> steps_ = std::vector<uint64_t>(100000);  // ten seconds
  uint64_t count_ = 0;
};

/// Text of the numbered event that a fleet understands; it carries the moment of its making.
std::string TimedEvent(int64_t number);

/// Opens streams on 127.0.0.1 and reads them. Thread-safety: one thread at a time.
class SseFleet {
 public:
  /// Connects and asks for `target` on each connection.
  SseFleet(int port, int streams, const std::string& target);
  ~SseFleet();
  SseFleet(const SseFleet&) = delete;
  SseFleet& operator=(const SseFleet&) = delete;

  /// Reads until every stream has ended, or nothing has come for half a minute.
  void ReadToEnd();

  /// Streams that got the events 0 to `events` - 1, each once and in order, and then their end.
  int Whole(int64_t events) const;
  const DelayHistogram& delays() const { return delays_; }

 private:
  struct Stream {
    int fd = -1;
    std::string pending;
    int64_t next = 0;
    bool in_order = true, finished = false;
  };
  void Read(Stream& stream);
  void TakeEvents(Stream& stream);

  int epoll_ = -1;
  int open_ = 0;
  std::vector<Stream> streams_;
  DelayHistogram delays_;
};

/// Resident memory of this process in KiB.
int64_t ResidentKib();

}  // namespace emptor::testing
