// Reads the header fields that say where a request comes from: Host, Origin, Content-Type,
// Authorization. All functions are pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace emptor::services {

/// The host of "host[:port]" in lower case, without the brackets of an IPv6 address.
std::string HostNameOf(std::string_view authority);

/// True for an IPv4 or IPv6 address as a host name has it.
bool IsIpAddress(const std::string& host);

/// True for localhost, 127.0.0.0/8, ::1, and ::ffff:127.0.0.0/104.
bool IsLoopback(const std::string& host);

/// "scheme://host[:port]" in lower case and without the scheme's usual port. Nothing for any other
/// text: "null", a path, another scheme than http and https.
std::optional<std::string> NormalOrigin(std::string_view text);

/// True when a page of the origin has this Host: the same host and port.
bool IsSameOrigin(std::string_view origin, std::string_view host_header);

/// "text/plain" of "Text/Plain; charset=utf-8"; empty for what is no media type.
std::string MediaTypeOf(std::string_view content_type);

/// The token of "Bearer TOKEN"; nothing for another scheme or an empty token.
std::optional<std::string_view> BearerOf(std::string_view authorization);

}  // namespace emptor::services
