// Bytes into XML events, by expat, in bounded memory. Nothing outside of the text is ever read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace emptor::catalog {

/// An element as namespaces tell it: {"http://base.google.com/ns/1.0", "price"}.
struct XmlName {
  std::string_view space;  // empty without a namespace
  std::string_view local;
  std::string_view unbound = {};  // a prefix that nothing binds; then `space` is empty
};

/// A prefix that no xmlns attribute binds, where it was met first.
struct UnboundPrefix {
  std::string prefix;
  uint64_t line = 0;
};

/// Local names and values.
using XmlAttributes = std::vector<std::pair<std::string_view, std::string_view>>;

/// Views hold during the call. An error ends the parsing.
struct XmlEvents {
  std::function<absl::Status(const XmlName&, const XmlAttributes&)> start;
  std::function<absl::Status()> end;
  std::function<void(std::string_view)> text;  // in pieces
};

/// A push parser of UTF-8 (whatever the declaration says of the encoding), with namespaces. A
/// prefix that is not bound is told, not refused: feeds that were put together by hand have them.
/// Refused: document type declarations, so there are no entities beyond the five and no external
/// reference; more than kMaxDepth open elements; a tag or comment of more than kMaxTokenBytes; more
/// than kMaxBindings namespaces in scope.
/// Thread-safety: one thread at a time.
class XmlParser {
 public:
  static constexpr int kMaxDepth = 64;
  static constexpr size_t kMaxTokenBytes = 1u << 20;
  static constexpr size_t kMaxBindings = 64;
  static constexpr size_t kMaxBindingBytes = 512;  // a prefix and its namespace

  explicit XmlParser(XmlEvents events);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  /// Errors: those of the events; kInvalidArgument `line 17: what is wrong`. An error stays.
  absl::Status Push(std::string_view bytes);
  absl::Status Finish();

  /// Of the event at hand; REQUIRES: called from one.
  uint64_t line() const;
  uint64_t end_line() const;
  uint64_t end_offset() const;
  /// The namespaces around the innermost element that hold in it, as attributes that it may be
  /// given: ` xmlns:g="http://..."`.
  std::string OuterBindings() const;
  /// In the order in which they were met, at most 16.
  const std::vector<UnboundPrefix>& unbound_prefixes() const;

  /// From the event at hand on, keeps up to `max_bytes` of the text; Captured ends it.
  void Capture(size_t max_bytes);
  std::string Captured();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::catalog
