// Examines every '<' once and searches each comment or section once for its end.
#include "catalog/feed/xml_resync.h"

#include <algorithm>
#include <utility>

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr View kDeclaration = "<!DOCTYPE";
constexpr View kBlanks = " \t\r\n";
constexpr size_t kMaxTag = 256;  // of a row, as far as it is examined

}  // namespace

XmlResync::XmlResync(Options options)
    : options_(std::move(options)),
      sections_{{{.open = "<!--", .close = "-->"}, {.open = "<![CDATA[", .close = "]]>"}}} {}

XmlResync::Step XmlResync::Look(View text, bool at_end) {
  Step step;
  Next next = inside_ == nullptr ? Next::kGoOn : PassLongSection(text, step);
  while (next == Next::kGoOn) {
    step.passed = std::min(text.find('<', step.passed), text.size());
    if (step.passed == text.size()) break;
    next = LookAt(text, at_end, step);
  }
  for (Section& section : sections_) section.searched -= std::min(section.searched, step.passed);
  at_first_ = at_first_ && step.passed == 0;
  return step;
}

XmlResync::Next XmlResync::LookAt(View text, bool at_end, Step& step) {
  const View rest = text.substr(step.passed);
  for (Section& section : sections_) {
    if (rest.starts_with(section.open)) return PassSection(section, text, at_end, step);
    if (!at_end && section.open.starts_with(rest)) return Next::kWait;
  }
  if (options_.is_before_root) {
    step.is_declared = rest.starts_with(kDeclaration);
    if (step.is_declared) return Next::kStop;
    if (!at_end && kDeclaration.starts_with(rest)) return Next::kWait;
  }
  return LookAtTag(text, at_end, step);
}

XmlResync::Next XmlResync::PassSection(Section& section, View text, bool at_end, Step& step) {
  const size_t from = std::max(step.passed + section.open.size(), section.searched);
  const size_t close = text.find(section.close, from);
  if (close != View::npos) {
    step.passed = close + section.close.size();
    return Next::kGoOn;
  }
  // The closing delimiter may begin at the end of the text.
  section.searched = std::max(from, text.size() - (section.close.size() - 1));
  if (text.size() - step.passed > kMaxHeld) {
    step.passed += section.open.size();
    inside_ = &section;
    return PassLongSection(text, step);
  }
  if (!at_end) return Next::kWait;
  ++step.passed;
  return Next::kGoOn;
}

XmlResync::Next XmlResync::PassLongSection(View text, Step& step) {
  const View close = inside_->close;
  const size_t found = text.find(close, step.passed);
  if (found == View::npos) {
    step.passed = text.size() - std::min(text.size() - step.passed, close.size() - 1);
    return Next::kWait;
  }
  step.passed = found + close.size();
  inside_ = nullptr;
  return Next::kGoOn;
}

XmlResync::Next XmlResync::LookAtTag(View text, bool at_end, Step& step) const {
  const View rest = text.substr(step.passed);
  const View tag = rest.substr(0, kMaxTag);
  const bool may_go_on = !at_end && rest.size() < kMaxTag;
  const size_t name_begin = rest.starts_with("</") ? 2 : 1;
  const size_t name_end = tag.find_first_of(" \t\r\n/><", name_begin);
  if (name_end == View::npos && may_go_on) return Next::kWait;
  const bool is_start = name_begin == 1;
  const bool is_at_fault = is_start && options_.skips_first && at_first_ && step.passed == 0;
  if (name_end == View::npos || is_at_fault ||
      !options_.is_row(tag.substr(name_begin, name_end - name_begin))) {
    ++step.passed;
    return Next::kGoOn;
  }
  if (!is_start) {
    const size_t close = tag.find_first_not_of(kBlanks, name_end);
    if (close == View::npos && may_go_on) return Next::kWait;
    const bool is_closed = close != View::npos && tag[close] == '>';
    step.passed += is_closed ? close + 1 : name_end;
  }
  step.is_found = true;
  return Next::kStop;
}

}  // namespace emptor::catalog
