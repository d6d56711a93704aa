// Whose request it is where no key tells: the address of the client, also behind a proxy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// The address that limits count by: of `remote`, or, where that is this machine or one of
/// `trusted_proxies`, the last address of `forwarded_for` (X-Forwarded-For, all fields joined by
/// commas) that is none of these. An IPv6 address stands for its /64 network: one subscriber has
/// all of it. Empty: a program of this machine. Pure.
std::string ClientAddress(std::string_view remote, std::string_view forwarded_for,
                          const std::vector<std::string>& trusted_proxies);

}  // namespace emptor::services
