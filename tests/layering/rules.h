// The rules of the layering test: pure functions from sources to complaints.
#pragma once

#include <string>
#include <vector>

#include "tests/layering/source_tree.h"

namespace emptor::testing {

/// "path:line: what is wrong". Empty: the rule holds.
using Complaints = std::vector<std::string>;

/// Folders: catalog and engine include nothing of ours outside themselves, retrieval may include
/// catalog's public headers, services all; nobody includes tests. Every include of ours is spelled
/// from the root and exists.
Complaints CheckFolders(const std::vector<SourceFile>& files);

/// Parts: the ladder inside engine/, and no cycle between the parts of any folder.
Complaints CheckParts(const std::vector<SourceFile>& files);

/// Third-party headers: each only where it is wrapped, and in no header but those listed.
Complaints CheckThirdParty(const std::vector<SourceFile>& files);

/// No common/, util/ or include/ folder; the first line tells what the file is for; headers have
/// #pragma once; no work left open in comments.
Complaints CheckForm(const std::vector<SourceFile>& files);

struct SizeLimits {
  int file_lines = 500;
  int function_lines = 60;
};
Complaints CheckSizes(const std::vector<SourceFile>& files, const SizeLimits& limits);

}  // namespace emptor::testing
