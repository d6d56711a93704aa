// Answers without a model, in the notation of the prompt: the hydrator fills in the facts as it
// does for a model's text.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/query_understanding.h"
#include "services/grounding/source.h"

namespace emptor::services {

/// An answer made of references to `sources`. Pure. Contains no word of a record.
std::string WriteExtractiveAnswer(const Understanding& understanding,
                                  const std::vector<Source>& sources, const std::string& question);

}  // namespace emptor::services
