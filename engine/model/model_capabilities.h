// What the file of a model, or its operator, declares that the model was trained for.
#pragma once

#include <string>
#include <vector>

namespace emptor::engine {

struct ModelCapabilities {
  /// The model answers by reference, as docs/formats/prompt.md describes, without instructions.
  bool references = false;
  /// Two-letter codes (ISO 639-1) of the languages that it writes; empty: no limit is known.
  std::vector<std::string> languages;
};

}  // namespace emptor::engine
