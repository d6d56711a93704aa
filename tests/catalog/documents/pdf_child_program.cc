// The process that reads a PDF, with tighter limits than the service's. An input that begins with
// "misbehave:" makes it do instead what a broken or hostile parser could.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "catalog/documents/pdf_call_filter.h"
#include "catalog/documents/pdf_child.h"
#include "catalog/documents/pdf_reply.h"
#include "tests/catalog/documents/pdf_child_calls.h"

#if defined(__SANITIZE_ADDRESS__)
/// A crash of this process is looked at as the system tells it, and memory that it may not have is
/// refused.
extern "C" const char* __asan_default_options() {
  return "handle_segv=0:handle_abort=0:use_sigaltstack=0:allocator_may_return_null=1";
}
#endif

namespace {

using emptor::catalog::PdfChildLimits;
using emptor::catalog::PdfReply;

const PdfChildLimits kLimits = {.memory_bytes = 256u << 20, .cpu_seconds = 1};

void Write(const std::string& bytes) {
  const ssize_t ignored = write(STDOUT_FILENO, bytes.data(), bytes.size());
  static_cast<void>(ignored);
}

std::string Outcome(bool succeeded) { return succeeded ? "possible" : "refused"; }

/// What the confined process can still do, a page each.
int TellPowers(size_t descriptors) {
  if (!emptor::catalog::ConfinePdfChild(kLimits)) return 3;
  PdfReply reply;
  reply.pages.push_back("descriptors " + std::to_string(descriptors));
  reply.pages.push_back("open " + Outcome(open("/proc/self/exe", O_RDONLY) >= 0));
  reply.pages.push_back("socket " + Outcome(socket(AF_INET, SOCK_STREAM, 0) >= 0));
  reply.pages.push_back("pipe to itself " + Outcome(dup(STDIN_FILENO) >= 0));
  signal(SIGXFSZ, SIG_IGN);
  reply.pages.push_back("write " + Outcome(write(STDIN_FILENO, "x", 1) == 1));
  void* volatile huge = malloc(512u << 20);  // volatile: or it is left out
  reply.pages.push_back("memory " + Outcome(huge != nullptr));
  Write(EncodePdfReply(reply));
  return 0;
}

/// What becomes of one call under the filter alone, without the limits.
int TellCall(const std::string& name) {
  if (!emptor::catalog::FilterPdfChildCalls()) return 3;
  PdfReply reply;
  reply.pages.push_back(emptor::testing::MakePdfChildCall(name));
  Write(EncodePdfReply(reply));
  _exit(0);
}

int Misbehave(const std::string& how) {
  constexpr std::string_view kCall = "call ";
  if (how.starts_with(kCall)) return TellCall(how.substr(kCall.size()));
  if (how.starts_with("without filter\n")) {
    return emptor::testing::TakeAwayCallFilters() ? emptor::catalog::RunPdfChild(kLimits) : 3;
  }
  if (how == "crash") raise(SIGSEGV);
  if (how == "hang") pause();
  if (how == "close and hang") {
    close(STDOUT_FILENO);
    pause();
  }
  if (how == "garbage") Write("EPT1 and more");
  if (how == "exit") return 7;
  if (how == "spin") {
    if (!emptor::catalog::ConfinePdfChild(kLimits)) return 3;
    while (getppid() >= 0) {
    }
  }
  const std::string block(1u << 16, 'x');
  while (how == "flood") Write(block);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], emptor::catalog::kPdfChildCommand) != 0) return 9;
  std::string head(64, '\0');
  const ssize_t count = pread(STDIN_FILENO, head.data(), head.size(), 0);
  head.resize(count < 0 ? 0 : static_cast<size_t>(count));
  constexpr std::string_view kSign = "misbehave:";
  if (!head.starts_with(kSign)) return emptor::catalog::RunPdfChild(kLimits);
  const std::string how = head.substr(kSign.size());
  if (how != "powers") return Misbehave(how);
  size_t descriptors = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    descriptors += !entry.path().empty();
  }
  return TellPowers(descriptors - 1);  // one is that of the listing
}
