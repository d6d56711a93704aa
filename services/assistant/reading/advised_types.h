// The types that help in the situation that a message describes (types/needs.h).
#pragma once

#include <optional>
#include <string>

#include "services/assistant/reading/type_reading.h"

namespace emptor::services {

/// The types that help with the message's need, as one. A type that is named comes first, unless
/// the need is said with its name: "my tv at night". Pure but for the lookups of the reading.
std::optional<ProductType> ReadAdvisedTypes(const TypeReading& reading,
                                            const std::optional<ProductType>& named);

/// "Webcam" of "a camera for video calls": the type that helps and that is called by the noun as
/// well ("web camera"). Pure but for the lookups of the reading.
std::optional<ProductType> ReadKindForNeed(const TypeReading& reading, const ProductType& named,
                                           const std::string& noun);

}  // namespace emptor::services
