// Finds tags by "<" and ">"; only those of scripts are parsed.
#include "catalog/feed/html_scripts.h"

#include <algorithm>
#include <utility>

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kSlice = 64u << 10;
constexpr View kCloseScript = "</script";

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool StartsWithIgnoringCase(View text, View lower) {
  return text.size() >= lower.size() && std::equal(lower.begin(), lower.end(), text.begin(),
                                                   [](char a, char b) { return a == Lower(b); });
}

// The offset of `lower` in `text` from `from` on, without case.
size_t FindIgnoringCase(View text, View lower, size_t from) {
  for (size_t at = text.find('<', from); at != View::npos; at = text.find('<', at + 1)) {
    if (StartsWithIgnoringCase(text.substr(at), lower)) return at;
  }
  return View::npos;
}

// The end of the tag at the start of the text: after its first ">" outside of quotes.
size_t FindTagEnd(View text) {
  char quote = 0;
  for (size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && text[i - 1] == '=') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return View::npos;
}

bool IsScript(View tag) {
  if (!StartsWithIgnoringCase(tag, "<script") || tag.size() < 8) return false;
  const char next = tag[7];
  return next == '>' || next == ' ' || next == '\n' || next == '\r' || next == '\t' || next == '/';
}

bool IsJsonLd(View tag) {
  std::string lower(tag);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  return lower.find("application/ld+json") != std::string::npos;
}

}  // namespace

HtmlScripts::HtmlScripts(Events events) : events_(std::move(events)) {}

void HtmlScripts::Drop(size_t count) {
  const View dropped = View(buffer_).substr(start_, count);
  line_ += static_cast<uint64_t>(std::count(dropped.begin(), dropped.end(), '\n'));
  offset_ += count;
  start_ += count;
}

absl::Status HtmlScripts::Push(View bytes) {
  while (status_.ok() && !bytes.empty()) {
    const View slice = bytes.substr(0, kSlice);
    bytes.remove_prefix(slice.size());
    buffer_ += slice;
    status_ = Drain(false);
    buffer_.erase(0, start_);
    start_ = 0;
  }
  return status_;
}

absl::Status HtmlScripts::Finish() {
  if (status_.ok()) status_ = Drain(true);
  if (status_.ok() && state_ == State::kScript) status_ = events_.end();
  return status_;
}

absl::Status HtmlScripts::Drain(bool at_end) {
  bool more = true;
  while (more && start_ < buffer_.size()) {
    absl::StatusOr<bool> step = true;
    switch (state_) {
      case State::kText:
        step = TakeText();
        break;
      case State::kTag:
        step = TakeTag(at_end);
        break;
      case State::kComment:
        step = TakeComment();
        break;
      case State::kScript:
      case State::kOtherScript:
        step = TakeScript(at_end);
        break;
    }
    if (!step.ok()) return step.status();
    more = *step;
  }
  return absl::OkStatus();
}

bool HtmlScripts::TakeText() {
  const size_t tag = View(buffer_).substr(start_).find('<');
  Drop(tag == View::npos ? buffer_.size() - start_ : tag);
  if (tag != View::npos) state_ = State::kTag;
  return true;
}

absl::StatusOr<bool> HtmlScripts::TakeTag(bool at_end) {
  const View text = View(buffer_).substr(start_);
  if (text.size() < 8 && !at_end) return false;  // "<script", "<!--"
  if (text.starts_with("<!--")) {
    state_ = State::kComment;
    Drop(4);
    return true;
  }
  size_t end = IsScript(text) ? FindTagEnd(text) : text.size() > 1 ? 1 : View::npos;
  if (end == View::npos && text.size() < kMaxTagBytes && !at_end) return false;
  if (end != View::npos && end > kMaxTagBytes) end = View::npos;
  const bool is_script = end != View::npos && end > 1;
  const bool is_json = is_script && IsJsonLd(text.substr(0, end));
  Drop(end == View::npos ? 1 : end);
  state_ = is_json ? State::kScript : is_script ? State::kOtherScript : State::kText;
  if (is_json) events_.begin(line_, offset_);
  return true;
}

bool HtmlScripts::TakeComment() {
  const View text = View(buffer_).substr(start_);
  const size_t end = text.find("-->");
  if (end != View::npos) {
    Drop(end + 3);
    state_ = State::kText;
    return true;
  }
  Drop(text.size() - std::min<size_t>(text.size(), 2));  // "--" may continue with ">"
  return false;
}

absl::StatusOr<bool> HtmlScripts::TakeScript(bool at_end) {
  const View text = View(buffer_).substr(start_);
  const size_t close = FindIgnoringCase(text, kCloseScript, 0);
  size_t upto = std::min(close, text.size());
  if (close == View::npos && !at_end) {
    // Keeps what may be the beginning of the closing tag.
    const size_t tail = text.size() - std::min(text.size(), kCloseScript.size());
    const size_t open = text.find('<', tail);
    upto = std::min(open, text.size());
  }
  if (state_ == State::kScript && upto > 0) {
    const absl::Status status = events_.text(text.substr(0, upto));
    if (!status.ok()) return status;
  }
  Drop(upto);
  if (close == View::npos) return false;
  const bool was_json = state_ == State::kScript;
  state_ = State::kText;
  Drop(kCloseScript.size());
  if (was_json) {
    if (absl::Status status = events_.end(); !status.ok()) return status;
  }
  return true;
}

}  // namespace emptor::catalog
