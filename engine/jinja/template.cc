// Joins parser and renderer.
#include "engine/jinja/template.h"

#include "engine/jinja/parser.h"
#include "engine/jinja/renderer.h"

namespace emptor::engine::jinja {

struct Template::Tree {
  Body body;
};

Template::Template(std::unique_ptr<const Tree> tree, const Limits& limits)
    : tree_(std::move(tree)), limits_(limits) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

absl::StatusOr<Template> Template::Parse(std::string_view source, const Limits& limits) {
  absl::StatusOr<Body> body = ParseTemplate(source, limits);
  if (!body.ok()) return body.status();
  return Template(std::make_unique<const Tree>(Tree{std::move(*body)}), limits);
}

absl::StatusOr<Text> Template::Render(std::vector<std::pair<std::string, Value>> variables,
                                      std::time_t now) const {
  Renderer renderer(limits_, now, std::move(variables));
  renderer.Render(tree_->body);
  if (renderer.failed()) return absl::InvalidArgumentError(renderer.error());
  return renderer.TakeOutput();
}

}  // namespace emptor::engine::jinja
