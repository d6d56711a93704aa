// emptor: one executable, roles by subcommand.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <variant>

#include "catalog/documents/pdf_child.h"
#include "services/cli/command_line.h"
#include "services/observability/log.h"

int main(int argc, char** argv) {
  const bool is_pdf_child =
      argc == 2 && std::strcmp(argv[1], emptor::catalog::kPdfChildCommand) == 0;
  if (is_pdf_child) return emptor::catalog::RunPdfChild();
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is an error of the write, as a full disk is
  emptor::services::KeepStandardOutputClean();
  try {
    const auto line = emptor::services::ParseCommandLine(argc, argv);
    if (const int* code = std::get_if<int>(&line)) return *code;
    return std::get<emptor::services::CommandLine>(line).run();
  } catch (const std::exception& error) {  // a library's: we throw none
    std::fprintf(stderr, "emptor: %s\n", error.what());
    return 2;
  }
}
