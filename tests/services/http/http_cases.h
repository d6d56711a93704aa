// Requests that must be refused and requests that look odd but are well-formed, as exact bytes.
#pragma once

#include <string>
#include <vector>

namespace emptor::testing {

struct RefusedCase {
  std::string name;
  std::string bytes;
  int status;
};

struct AcceptedCase {
  std::string name;
  std::string bytes;
  std::string path;  // as the handler must see it
  std::string body;  // likewise
};

/// Every one leaves room for two readings, breaks RFC 9112 or passes a limit (16 KiB head, 64
/// fields, 1 MiB body).
std::vector<RefusedCase> RefusedCases();

/// Every one is a request that some real client or proxy sends.
std::vector<AcceptedCase> AcceptedCases();

}  // namespace emptor::testing
