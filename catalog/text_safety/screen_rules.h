// Private to catalog/text_safety: rules for text that no product has.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/text_safety/injection_screen.h"

namespace emptor::catalog {

/// The first rule that matches. Linear in its size.
std::optional<ScreenFinding> FindByRules(std::string_view text);

/// A short, valid piece of `text` from `begin` on.
std::string Excerpt(std::string_view text, size_t begin);

}  // namespace emptor::catalog
