// Collects one CRLF-ended line from bytes that may be cut anywhere.
#include "services/http/line_reader.h"

#include <algorithm>

#include "services/http/syntax.h"

namespace emptor::services {

LineReader::Status LineReader::Feed(std::string_view& bytes, size_t limit) {
  const size_t newline = bytes.find('\n');
  const bool ended = newline != bytes.npos;
  std::string_view text = bytes.substr(0, newline);
  if (!text.empty() && !line_.empty() && line_.back() == '\r') return Status::kBad;
  const bool returned = !text.empty() && text.back() == '\r';
  // A CR may stand only right before the LF, so the last byte is the one that may be a CR.
  if (!IsFieldValue(returned ? text.substr(0, text.size() - 1) : text)) return Status::kBad;
  if (line_.size() + text.size() > limit + 1) return Status::kTooLong;
  line_ += text;
  bytes.remove_prefix(text.size() + (ended ? 1 : 0));
  if (!ended) return Status::kNeedMore;
  if (line_.empty() || line_.back() != '\r') return Status::kBad;
  line_.pop_back();
  return Status::kLine;
}

}  // namespace emptor::services
