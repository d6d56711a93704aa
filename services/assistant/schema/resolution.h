// Resolutions of screens and cameras: "2560x1440", of which both numbers count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/condition_words.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {

struct Resolution {
  double width = 0, height = 0;
  FoldedMessage::Span span = {};  // in the message
};

/// The first one: "2560x1440", "1920 x 1080", "1920 by 1080". Pure.
std::optional<Resolution> FindResolution(const FoldedMessage& message);

/// The values of an attribute that are such a resolution, at least or at most it where `bound` says
/// so. None where few of its values are resolutions. Pure.
std::vector<std::string> ValuesOfResolution(const SchemaKey& key, const Resolution& asked,
                                            const WordedBound& bound);

}  // namespace emptor::services
