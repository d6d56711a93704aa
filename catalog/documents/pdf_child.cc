// Limits, the input, the filter of calls, then the parser.
#include "catalog/documents/pdf_child.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "catalog/documents/pdf_call_filter.h"
#include "catalog/documents/pdf_process.h"
#include "catalog/documents/pdf_text.h"

namespace emptor::catalog {
namespace {

constexpr rlim_t kNoNewDescriptors = 3;  // standard input, output and error are there already
constexpr size_t kReadBytes = 1u << 16;

bool Limit(int resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  return setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
}

/// Bytes of addresses that the program has already; 0 when that is not known.
size_t AddressBytes() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

bool ReadInput(std::string& bytes) {
  std::string chunk(kReadBytes, '\0');
  while (bytes.size() <= kMaxPdfBytes) {
    const ssize_t count = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    bytes.append(chunk, 0, static_cast<size_t>(count));
  }
  return false;
}

bool WriteOutput(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

}  // namespace

bool ConfinePdfChild(const PdfChildLimits& limits) {
  const size_t addresses = AddressBytes();
  if (addresses == 0) return false;
  const rlim_t memory = addresses + limits.memory_bytes;
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_DUMPABLE, 0) == 0 && Limit(RLIMIT_CORE, 0, 0) && Limit(RLIMIT_FSIZE, 0, 0) &&
         Limit(RLIMIT_NPROC, 0, 0) && Limit(RLIMIT_MEMLOCK, 0, 0) &&
         Limit(RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1) &&
         Limit(RLIMIT_AS, memory, memory) &&
         Limit(RLIMIT_NOFILE, kNoNewDescriptors, kNoNewDescriptors);
}

int RunPdfChild(const PdfChildLimits& limits) {
  PreparePdfParser();
  if (!ConfinePdfChild(limits)) return 2;
  std::string bytes;
  if (!ReadInput(bytes)) return 2;
  if (KernelFiltersCalls() && !FilterPdfChildCalls()) return 2;
  // Destructors of the parser are not needed.
  const bool written = WriteOutput(EncodePdfReply(ReadPdfText(bytes, PdfLimits())));
  _exit(written ? 0 : 1);
}

}  // namespace emptor::catalog
