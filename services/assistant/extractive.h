// Answers without a model: what the records say, in the notation of the prompt. Step 3 of the
// degradation ladder; the hydrator fills in the facts as it does for a model's text.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/query_understanding.h"
#include "services/grounding/source.h"

namespace emptor::services {

/// An answer in references to `sources`. Pure. Holds no word of a record.
std::string WriteExtractiveAnswer(const Understanding& understanding,
                                  const std::vector<Source>& sources, const std::string& question);

}  // namespace emptor::services
