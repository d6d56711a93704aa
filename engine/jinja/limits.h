// Limits of parsing and rendering a template.
#pragma once

#include <cstddef>

namespace emptor::engine::jinja {

struct Limits {
  size_t max_template_bytes = 1u << 20;
  size_t max_output_bytes = 16u << 20;
  size_t max_made_bytes = 128u << 20;  // all texts, lists and mappings made on the way, together
  size_t max_steps = 4'000'000;        // expressions, statements, turns of loops, compared values
  int max_nesting = 100;               // of expressions and statements in the template
  int max_depth = 300;                 // of expressions and bodies at work at once; macros
  int max_value_depth = 100;           // lists within lists
};

}  // namespace emptor::engine::jinja
