// The narrower type that words elsewhere in a message select: "baby due in march, which monitors do
// you have" is about baby monitors.
#pragma once

#include <optional>

#include "services/assistant/reading/type_reading.h"

namespace emptor::services {

/// The sold type whose name is the word by which the message names `named`, qualified by other
/// words of the message: "desk lamp" of "a lamp for my desk". Nothing where no such type is sold,
/// or several are meant equally. Pure but for the lookups of `reading`.
std::optional<ProductType> ReadNarrowerType(const TypeReading& reading, const ProductType& named);

}  // namespace emptor::services
