// Chat templates: a bounded subset of Jinja whose output marks the bytes that come from messages.
#pragma once

#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/jinja/limits.h"
#include "engine/jinja/value.h"

namespace emptor::engine::jinja {

/// A parsed template; docs/chat_templates.md lists what of Jinja it may use. Its text is
/// untrusted: parsing and rendering always end within Limits.
/// Thread-safety: immutable; renders from any thread.
class Template {
 public:
  /// Errors: kInvalidArgument, `line 3: what is wrong`: not well-formed, not supported, too large.
  static absl::StatusOr<Template> Parse(std::string_view source, const Limits& limits = {});
  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  /// What the template writes, given its variables (`messages`, `bos_token`, ...) and the time that
  /// strftime_now returns. Errors: kInvalidArgument, `line 3: what is wrong`: the template's own
  /// raise_exception, an operation on values that do not fit it, a limit.
  absl::StatusOr<Text> Render(std::vector<std::pair<std::string, Value>> variables,
                              std::time_t now) const;

 private:
  struct Tree;
  Template(std::unique_ptr<const Tree> tree, const Limits& limits);

  std::unique_ptr<const Tree> tree_;
  Limits limits_;
};

}  // namespace emptor::engine::jinja
