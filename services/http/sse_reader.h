// Reads a stream of server-sent events from pieces that may be cut anywhere.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace emptor::services {

/// Events with their name ("message" when none is given) and data; comments and ids are skipped.
class SseReader {
 public:
  using OnEvent = std::function<void(std::string_view name, std::string_view data)>;
  explicit SseReader(OnEvent on_event) : on_event_(std::move(on_event)) {}

  void Push(std::string_view piece);

 private:
  void TakeLine(std::string_view line);

  const OnEvent on_event_;
  std::string line_;
  std::string name_;
  std::string data_;
  bool has_data_ = false;
};

}  // namespace emptor::services
