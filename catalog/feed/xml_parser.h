// Parses XML into events, by expat. No external resource is ever read.
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

/// An element name with its namespace: {"http://base.google.com/ns/1.0", "price"}.
struct XmlName {
  std::string_view space;  // empty without a namespace
  std::string_view local;
  std::string_view unbound = {};  // a prefix that nothing binds; then `space` is empty
  std::string_view written = {};  // with its prefix: "g:price"
};

/// A prefix without an xmlns binding, and the line of its first use.
struct UnboundPrefix {
  std::string prefix;
  uint64_t line = 0;
};

struct XmlBinding {
  std::string prefix;
  std::string space;
};

/// The elements around a place, outermost first, and the namespaces in scope there.
struct XmlContext {
  std::vector<std::string> names;  // as they are written, cut at XmlParser::kMaxContextName
  std::vector<XmlBinding> bindings;
  std::vector<size_t> marks;  // number of bindings around each element
};

/// Local names and values.
using XmlAttributes = std::vector<std::pair<std::string_view, std::string_view>>;

/// Views hold during the call. An error ends the parsing.
struct XmlEvents {
  std::function<absl::Status(const XmlName&, const XmlAttributes&)> start;
  std::function<absl::Status()> end;
  std::function<void(std::string_view)> text;  // in pieces
};

/// A parser of UTF-8 (whatever the declaration says of the encoding), with namespaces. An unbound
/// prefix is reported, not refused: hand-written feeds have them. Refused: document type
/// declarations, so there are only the five predefined entities and no external references; more
/// than kMaxDepth open elements; a tag or comment of more than kMaxTokenBytes; more than
/// kMaxBindings namespaces in scope. Offsets and lines are those of the whole feed, across
/// restarts. Thread-safety: one thread at a time.
class XmlParser {
 public:
  static constexpr size_t kMaxDepth = 64;
  static constexpr size_t kMaxTokenBytes = 1u << 20;
  static constexpr size_t kMaxBindings = 64;
  static constexpr size_t kMaxBindingBytes = 512;  // a prefix and its namespace
  static constexpr size_t kMaxContext = 5;         // elements
  static constexpr size_t kMaxContextName = 128;
  static constexpr std::string_view kDeclarationRefused =
      "a document type declaration is refused, and entities with it";

  explicit XmlParser(XmlEvents events);
  ~XmlParser();
  XmlParser(const XmlParser&) = delete;
  XmlParser& operator=(const XmlParser&) = delete;

  /// Reads the next bytes. Each call scans an incomplete token again, so pieces should not stay
  /// small. Errors: those of the events; kInvalidArgument `line 17: what is wrong`. An error stays
  /// until Restart.
  absl::Status Parse(std::string_view piece, bool is_last);
  /// True for a fault of the text, after which parsing may continue elsewhere. False for errors of
  /// the events and for a document type declaration.
  bool is_recoverable() const;
  /// Continues at another offset of the feed with the elements of `context` open; without elements,
  /// as at the beginning.
  void Restart(const XmlContext& context, uint64_t offset, uint64_t line);

  /// End of the last event; after an error, the start of the faulty token.
  uint64_t read_upto() const;
  /// Of the current event, or of the error.
  uint64_t offset() const;
  uint64_t line() const;
  /// Of the current event. REQUIRES: called from an event.
  uint64_t end_line() const;
  /// As it is written, cut at kMaxContextName; REQUIRES: it is open, depth from 1 to kMaxContext.
  const std::string& name(size_t depth) const;
  /// The outermost `depth` of the open elements. REQUIRES: as many are open, at most kMaxContext.
  XmlContext Context(size_t depth) const;
  /// The namespaces around the innermost element that hold in it, as attributes that it may be
  /// given: ` xmlns:g="http://..."`.
  std::string OuterBindings() const;
  /// In order of first use, at most 16.
  const std::vector<UnboundPrefix>& unbound_prefixes() const;

  /// Records up to `max_bytes` of the text from the current event on; Captured ends it.
  void Capture(size_t max_bytes);
  std::string Captured();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace emptor::catalog
