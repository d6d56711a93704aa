// Taking grpc:// URLs apart.
#include "services/models/grpc_model_url.h"

#include <fmt/format.h>

#include <charconv>

#include "services/models/model_spec.h"

namespace emptor::services {
namespace {

constexpr std::string_view kScheme = "grpc://";

/// HOST:PORT with a port from 1 to 65535.
bool IsAddress(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view digits = text.substr(colon + 1);
  int port = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return read.ec == std::errc() && read.ptr == digits.data() + digits.size() && port >= 1 &&
         port <= 65535;
}

}  // namespace

bool IsGrpcModelUrl(std::string_view text) { return text.substr(0, kScheme.size()) == kScheme; }

absl::StatusOr<GrpcModelUrl> ParseGrpcModelUrl(std::string_view text) {
  if (IsGrpcModelUrl(text)) {
    const std::string_view rest = text.substr(kScheme.size());
    const size_t slash = rest.find('/');
    GrpcModelUrl url;
    url.address = rest.substr(0, slash);
    if (slash != std::string_view::npos) url.model = rest.substr(slash + 1);
    const bool is_named = slash == std::string_view::npos || IsModelReference(url.model);
    if (IsAddress(url.address) && is_named) return url;
  }
  return absl::InvalidArgumentError(
      fmt::format("model: expected grpc://HOST:PORT or grpc://HOST:PORT/NAME, found \"{}\"", text));
}

}  // namespace emptor::services
