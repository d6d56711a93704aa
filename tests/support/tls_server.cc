// OpenSSL on plain sockets.
#include "tests/support/tls_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <utility>

namespace emptor::testing {
namespace {

using KeyPtr = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using CertificatePtr = std::unique_ptr<X509, decltype(&X509_free)>;

CertificatePtr MakeCertificate(EVP_PKEY* key) {
  CertificatePtr made(X509_new(), &X509_free);
  X509_set_version(made.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 3600);
  X509_set_pubkey(made.get(), key);
  X509_NAME* name = X509_get_subject_name(made.get());
  const auto* text = reinterpret_cast<const unsigned char*>("127.0.0.1");
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0);
  X509_set_issuer_name(made.get(), name);
  for (const auto& [id, value] : {std::pair(NID_subject_alt_name, "IP:127.0.0.1"),
                                  std::pair(NID_basic_constraints, "critical,CA:TRUE")}) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, id, value);
    X509_add_ext(made.get(), extension, -1);
    X509_EXTENSION_free(extension);
  }
  X509_sign(made.get(), key, EVP_sha256());
  return made;
}

std::string PemOf(X509* certificate) {
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(bio, certificate);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string pem(data, static_cast<size_t>(size));
  BIO_free(bio);
  return pem;
}

}  // namespace

struct TlsServer::Impl {
  std::string answer, certificate;
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{SSL_CTX_new(TLS_server_method()),
                                                            &SSL_CTX_free};
  int listener = -1, port = 0;
  std::atomic<int> requests{0};
  std::thread thread;

  void Serve();
};

void TlsServer::Impl::Serve() {
  while (true) {
    const int fd = accept(listener, nullptr, nullptr);
    if (fd < 0) return;
    const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context.get()), &SSL_free);
    SSL_set_fd(ssl.get(), fd);
    char buffer[8192];
    if (SSL_accept(ssl.get()) == 1 && SSL_read(ssl.get(), buffer, sizeof buffer) > 0) {
      ++requests;
      SSL_write(ssl.get(), answer.data(), static_cast<int>(answer.size()));
      SSL_shutdown(ssl.get());
    }
    close(fd);
  }
}

TlsServer::TlsServer(std::string answer) : impl_(std::make_unique<Impl>()) {
  signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to clients that have left
  impl_->answer = std::move(answer);
  const KeyPtr key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const CertificatePtr certificate = MakeCertificate(key.get());
  impl_->certificate = PemOf(certificate.get());
  SSL_CTX_use_certificate(impl_->context.get(), certificate.get());
  SSL_CTX_use_PrivateKey(impl_->context.get(), key.get());
  impl_->listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  (void)bind(impl_->listener, reinterpret_cast<sockaddr*>(&address), size);
  (void)listen(impl_->listener, 8);
  (void)getsockname(impl_->listener, reinterpret_cast<sockaddr*>(&address), &size);
  impl_->port = ntohs(address.sin_port);
  impl_->thread = std::thread([impl = impl_.get()] { impl->Serve(); });
}

TlsServer::~TlsServer() {
  shutdown(impl_->listener, SHUT_RDWR);
  impl_->thread.join();
  close(impl_->listener);
}

int TlsServer::port() const { return impl_->port; }
const std::string& TlsServer::certificate() const { return impl_->certificate; }
int TlsServer::requests() const { return impl_->requests; }

}  // namespace emptor::testing
