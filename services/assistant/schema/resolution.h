// Resolutions of screens and cameras: "2560x1440", of which both numbers count.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// The one that is named: "4K", "full HD", "1080p". Pure.
std::optional<Resolution> FindNamedResolution(const FoldedMessage& message);

/// Whether a screen that states `stated` ("1920 x 1080", "4K Ultra HD") has the resolution; nothing
/// where the text states none. Pure.
std::optional<bool> HasResolution(const Resolution& asked, std::string_view stated);

/// The values of an attribute that are such a resolution, at least or at most it where `bound` says
/// so. None where few of its values are resolutions. Pure.
std::vector<std::string> ValuesOfResolution(const SchemaKey& key, const Resolution& asked,
                                            const WordedBound& bound);

}  // namespace emptor::services
