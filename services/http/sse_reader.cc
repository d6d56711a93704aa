// Reads a stream of server-sent events.
#include "services/http/sse_reader.h"

namespace emptor::services {

void SseReader::Push(std::string_view piece) {
  for (const char c : piece) {
    if (c != '\n') {
      overflowed_ = overflowed_ || line_.size() + data_.size() >= max_bytes_;
      if (overflowed_) return;
      line_ += c;
      continue;
    }
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    TakeLine(line_);
    line_.clear();
  }
}

void SseReader::TakeLine(std::string_view line) {
  if (line.empty()) {
    if (has_data_) on_event_(name_.empty() ? "message" : name_, data_);
    name_.clear();
    data_.clear();
    has_data_ = false;
    return;
  }
  const size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return;
  const std::string_view field = line.substr(0, colon);
  std::string_view value = line.substr(colon + 1);
  if (!value.empty() && value[0] == ' ') value.remove_prefix(1);
  if (field == "event") name_ = value;
  if (field != "data") return;
  if (has_data_) data_ += '\n';
  data_ += value;
  has_data_ = true;
}

}  // namespace emptor::services
