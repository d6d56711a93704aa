// After "Authenticating Requests (AWS Signature Version 4)" of the S3 API reference.
#include "tests/services/backup/s3_server.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <sstream>
#include <vector>

#include "catalog/encoding/sha256.h"
#include "services/http/http_server.h"

namespace emptor::testing {
namespace {

using services::Request;
using services::Response;

std::string Hexadecimal(const std::string& bytes) {
  static const char* digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string Sha256Hex(const std::string& bytes) {
  const auto digest = catalog::ComputeSha256(bytes.data(), bytes.size());
  return Hexadecimal(std::string(digest.begin(), digest.end()));
}

std::string Hmac(const std::string& key, const std::string& text) {
  unsigned char out[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), out, &size);
  return std::string(reinterpret_cast<char*>(out), size);
}

/// The value behind "NAME=" in the header, up to a comma.
std::string Part(const std::string& header, const std::string& name) {
  const size_t begin = header.find(name + "=");
  if (begin == std::string::npos) return "";
  const size_t from = begin + name.size() + 1;
  return header.substr(from, header.find(',', from) - from);
}

std::string ExpectedSignature(const Request& request, const std::string& signed_headers,
                              const std::string& scope) {
  std::string canonical = request.method + "\n" + request.path + "\n\n";
  std::istringstream names(signed_headers);
  for (std::string name; std::getline(names, name, ';');) {
    canonical += name + ":" + std::string(request.Header(name)) + "\n";
  }
  canonical += "\n" + signed_headers + "\n" + std::string(request.Header("x-amz-content-sha256"));
  const std::string time(request.Header("x-amz-date"));
  const std::string to_sign =
      "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + Sha256Hex(canonical);
  std::string key = Hmac(std::string("AWS4") + S3Server::kSecretKey, time.substr(0, 8));
  for (const char* part : {S3Server::kRegion, "s3", "aws4_request"}) key = Hmac(key, part);
  return Hexadecimal(Hmac(key, to_sign));
}

bool IsSigned(const Request& request) {
  const std::string header(request.Header("authorization"));
  const std::string credential = Part(header, "AWS4-HMAC-SHA256 Credential");
  const std::string signed_headers = Part(header, "SignedHeaders");
  const size_t slash = credential.find('/');
  if (slash == std::string::npos || credential.substr(0, slash) != S3Server::kAccessKey)
    return false;
  if (signed_headers.find("x-amz-content-sha256") == std::string::npos) return false;
  if (request.Header("x-amz-content-sha256") != Sha256Hex(request.body)) return false;
  return Part(header, "Signature") ==
         ExpectedSignature(request, signed_headers, credential.substr(slash + 1));
}

Response Error(int status, const std::string& code) {
  Response response;
  response.status = status;
  response.content_type = "application/xml";
  response.body = "<Error><Code>" + code + "</Code></Error>";
  return response;
}

}  // namespace

S3Server::S3Server()
    : server_(std::make_unique<services::HttpServer>(
          services::HttpServerOptions{.max_body_bytes = 64u << 20})) {
  (void)server_->Start([this](std::shared_ptr<services::Exchange> exchange) {
    exchange->Respond(Answer(exchange->request()));
  });
}

S3Server::~S3Server() { server_->Stop(); }

std::map<std::string, std::string> S3Server::objects() const {
  const std::lock_guard lock(mutex_);
  return objects_;
}

Response S3Server::Answer(const Request& request) {
  if (failures_ > 0) {
    --failures_;
    return Error(503, "SlowDown");
  }
  if (!IsSigned(request)) {
    ++refused_;
    return Error(403, "SignatureDoesNotMatch");
  }
  const std::lock_guard lock(mutex_);
  Response response;
  response.content_type = "application/octet-stream";
  if (request.method == "PUT") {
    objects_[request.path] = request.body;
  } else if (request.method == "DELETE") {
    objects_.erase(request.path);
    response.status = 204;
  } else if (const auto found = objects_.find(request.path); found != objects_.end()) {
    response.body = found->second;
  } else {
    return Error(404, "NoSuchKey");
  }
  return response;
}

}  // namespace emptor::testing
