// Reads a stream of server-sent events from pieces that may be cut anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace emptor::services {

/// Events with their name ("message" when none is given) and data; comments and ids are skipped.
/// Holds at most `max_bytes` of an event or a line.
class SseReader {
 public:
  using OnEvent = std::function<void(std::string_view name, std::string_view data)>;
  explicit SseReader(OnEvent on_event, size_t max_bytes = SIZE_MAX)
      : on_event_(std::move(on_event)), max_bytes_(max_bytes) {}

  void Push(std::string_view piece);
  /// An event or a line was too long: nothing is read from there on.
  bool overflowed() const { return overflowed_; }

 private:
  void TakeLine(std::string_view line);

  const OnEvent on_event_;
  const size_t max_bytes_;
  std::string line_;
  std::string name_;
  std::string data_;
  bool has_data_ = false;
  bool overflowed_ = false;
};

}  // namespace emptor::services
