// The rules of the layering test: pure functions from sources to complaints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/layering/source_tree.h"

namespace emptor::testing {

/// "path:line: what is wrong". Empty: the rule holds.
using Complaints = std::vector<std::string>;

/// "path:line: what".
std::string At(const SourceFile& file, int line, std::string_view what);
/// Moves `more` to the end of `all`.
void Append(Complaints& all, Complaints more);

/// Folders: catalog and engine include nothing of ours outside themselves, retrieval may include
/// catalog's public headers, services all; nobody includes tests. Every include of ours is spelled
/// from the root and exists.
Complaints CheckFolders(const std::vector<SourceFile>& files);

/// Parts: each includes only the parts that its ladder (ladders.cc) allows, and no two parts
/// include each other, directly or through others.
Complaints CheckParts(const std::vector<SourceFile>& files);

/// A header that another folder includes is on that folder's list of public headers (ladders.cc),
/// and every entry of the list is in use.
Complaints CheckPublicHeaders(const std::vector<SourceFile>& files);

/// The rooms of the four folders as text: one line per part, lowest first, with the parts of the
/// same folder that it includes. ARCHITECTURE.md holds it between two markers.
std::string DrawRooms(const std::vector<SourceFile>& files);

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
