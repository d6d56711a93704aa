// How fast the HTTP layer is: the request checker alone, plain answers and events over loopback.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "services/http/http_guard.h"
#include "services/http/http_server.h"

namespace emptor::services {
namespace {

const std::string kRequest =
    "POST /v1/search?limit=10 HTTP/1.1\r\nHost: shop.example:8080\r\nAccept: application/json\r\n"
    "Content-Type: application/json\r\nUser-Agent: bench/1.0\r\nContent-Length: 33\r\n\r\n"
    "{\"query\":\"quiet 27 inch monitor\"}";

void BM_HttpGuard(benchmark::State& state) {
  HttpGuard guard{HttpGuardLimits{}};
  for (auto _ : state) {
    guard.Feed(kRequest);
    benchmark::DoNotOptimize(guard.TakeRequest());
  }
  state.SetItemsProcessed(state.iterations());
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kRequest.size()));
}
BENCHMARK(BM_HttpGuard);

int Connect(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return -1;
  return fd;
}

/// Reads until `bytes` hold `end`; false when the connection ends first.
bool ReadUntil(int fd, std::string& bytes, std::string_view end) {
  char buffer[65536];
  while (bytes.size() < end.size() ||
         std::string_view(bytes).substr(bytes.size() - end.size()) != end) {
    const ssize_t n = recv(fd, buffer, sizeof buffer, 0);
    if (n <= 0) return false;
    bytes.append(buffer, static_cast<size_t>(n));
  }
  return true;
}

/// A server whose /sse streams `kEvents` events, and whose other paths answer a small JSON object.
constexpr int kEvents = 10000;

HttpServer& Server() {
  static const std::unique_ptr<HttpServer> server = [] {
    HttpServerOptions options;
    options.max_stream_queue_bytes = 64 << 20;
    auto made = std::make_unique<HttpServer>(options);
    const auto status = made->Start([](std::shared_ptr<Exchange> exchange) {
      if (exchange->request().path != "/sse") return exchange->Respond({.body = "{\"items\":[]}"});
      std::thread([sink = exchange->StartSse({})] {
        for (int i = 0; i < kEvents && sink->Push("event: delta\ndata: {\"text\":\" word\"}\n\n");
             ++i) {
        }
        sink->Finish();
      }).detach();
    });
    if (!status.ok()) std::abort();
    return made;
  }();
  return *server;
}

/// Depth: how many requests one client sends ahead.
void BM_PlainAnswers(benchmark::State& state) {
  const int fd = Connect(Server().port());
  const auto depth = state.range(0);
  std::string batch, reply;
  for (int64_t i = 0; i < depth; ++i) batch += kRequest;
  for (auto _ : state) {
    if (send(fd, batch.data(), batch.size(), MSG_NOSIGNAL) < 0) return state.SkipWithError("send");
    for (int64_t seen = 0; seen < depth;) {
      reply.clear();
      if (!ReadUntil(fd, reply, "{\"items\":[]}")) return state.SkipWithError("closed");
      for (size_t at = 0; (at = reply.find("{\"items\":[]}", at)) != std::string::npos; ++at)
        ++seen;
    }
  }
  state.SetItemsProcessed(state.iterations() * depth);
  close(fd);
}
BENCHMARK(BM_PlainAnswers)->Arg(1)->Arg(16)->UseRealTime();

void BM_StreamedEvents(benchmark::State& state) {
  const int fd = Connect(Server().port());
  const std::string request = "GET /sse HTTP/1.1\r\nHost: shop\r\n\r\n";
  std::string reply;
  for (auto _ : state) {
    reply.clear();
    if (send(fd, request.data(), request.size(), MSG_NOSIGNAL) < 0)
      return state.SkipWithError("send");
    if (!ReadUntil(fd, reply, "\r\n0\r\n\r\n")) return state.SkipWithError("closed");
  }
  state.SetItemsProcessed(state.iterations() * kEvents);
  close(fd);
}
BENCHMARK(BM_StreamedEvents)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace emptor::services
