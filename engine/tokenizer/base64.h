// Base64, as tokenizer.json writes binary values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::engine {

/// RFC 4648 section 4, padded, without line breaks; nothing for anything else.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace emptor::engine
