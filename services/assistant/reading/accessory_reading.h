// Goods that belong to others: "a stand for my monitor" asks for a monitor stand, and "something to
// hang my bike" for a rack or a hook, sold here or not.
#pragma once

#include <optional>

#include "services/assistant/reading/type_reading.h"

namespace emptor::services {

/// The accessory that the message asks for where the only goods it names are what that belongs to:
/// a listed type, a name of the shop's own, or a type that no record has. `named`: the type that
/// is read without this. Nothing where the message names other goods or asks how to use them. Pure
/// but for the lookups of `reading`.
std::optional<ProductType> ReadAccessory(const TypeReading& reading,
                                         const std::optional<ProductType>& named);

/// The same of a use: "something to hang my bike".
std::optional<ProductType> ReadUse(const TypeReading& reading,
                                   const std::optional<ProductType>& named);

}  // namespace emptor::services
