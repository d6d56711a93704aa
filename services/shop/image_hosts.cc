// Hosts of links, and their order.
#include "services/shop/image_hosts.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "absl/strings/ascii.h"

namespace emptor::services {
namespace {

constexpr std::string_view kHttps = "https://", kHttp = "http://";
constexpr size_t kMaxNameBytes = 253, kMaxLabelBytes = 63;  // RFC 1035 section 2.3.4
constexpr int kMaxPort = 65535;

bool IsLabel(std::string_view label) {
  const auto is_inner = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  };
  return !label.empty() && label.size() <= kMaxLabelBytes && label.front() != '-' &&
         label.back() != '-' && std::all_of(label.begin(), label.end(), is_inner);
}

/// A DNS name with a dot whose last label is no number: no address, no name of a local network.
bool IsPublicName(std::string_view name) {
  if (name.size() > kMaxNameBytes || name.find('.') == std::string_view::npos) return false;
  std::string_view last = name;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('.', begin), name.size());
    last = name.substr(begin, end - begin);
    if (!IsLabel(last)) return false;
    begin = end + 1;
  }
  return !absl::ascii_isdigit(static_cast<unsigned char>(last.front())) && last != "localhost" &&
         last != "local" && last != "internal";
}

bool IsPort(std::string_view text) {
  int port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && port > 0 &&
         port <= kMaxPort;
}

}  // namespace

std::optional<std::string> ImageHostOf(std::string_view link) {
  const bool is_https = link.starts_with(kHttps);
  if (!is_https && !link.starts_with(kHttp)) return std::nullopt;
  const std::string_view scheme = is_https ? kHttps : kHttp;
  link.remove_prefix(scheme.size());
  const std::string_view authority = link.substr(0, link.find_first_of("/?#"));
  const size_t colon = authority.find(':');
  const std::string_view name = authority.substr(0, colon);
  if (!IsPublicName(name)) return std::nullopt;
  std::string host = std::string(scheme) + absl::AsciiStrToLower(std::string(name));
  if (colon == std::string_view::npos) return host;
  const std::string_view port = authority.substr(colon + 1);
  if (!IsPort(port)) return std::nullopt;
  if (port != (is_https ? "443" : "80")) host.append(":").append(port);
  return host;
}

void CountImageHosts(const catalog::Product& product, ImageHostCounts& counts) {
  std::set<std::string> hosts;
  if (auto host = ImageHostOf(product.image_link)) hosts.insert(*std::move(host));
  for (const std::string& link : product.additional_image_links) {
    if (auto host = ImageHostOf(link)) hosts.insert(*std::move(host));
  }
  for (const std::string& host : hosts) {
    if (counts.contains(host) || counts.size() < kMaxImageHosts) ++counts[host];
  }
}

std::vector<ImageHost> RankImageHosts(const ImageHostCounts& counts) {
  std::vector<ImageHost> hosts;
  for (const auto& [host, products] : counts) hosts.push_back({host, products});
  std::sort(hosts.begin(), hosts.end(), [](const ImageHost& a, const ImageHost& b) {
    return a.products != b.products ? a.products > b.products : a.host < b.host;
  });
  return hosts;
}

std::vector<std::string> AllowedImageHosts(const ImageHostCounts& counts) {
  std::vector<std::string> allowed;
  for (const ImageHost& each : RankImageHosts(counts)) {
    const bool is_http = each.host.starts_with(kHttp);
    const bool has_https =
        is_http && counts.contains(std::string(kHttps) + each.host.substr(kHttp.size()));
    if (has_https) continue;
    allowed.push_back(each.host);
    if (allowed.size() == kMaxAllowedImageHosts) break;
  }
  return allowed;
}

}  // namespace emptor::services
