// The sources of the repository as the layering rules see them: paths, lines, includes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emptor::testing {

struct SourceFile {
  std::string path;  // from the repository's root: "engine/kv/block_pool.h"
  std::vector<std::string> lines;

  bool is_header() const { return path.ends_with(".h"); }
};

struct Include {
  std::string target;  // what stands between quotes or angle brackets
  int line = 0;        // from 1
};

/// Every .h, .cc and .cu below `root`/`folder`, sorted by path.
std::vector<SourceFile> ReadSources(const std::string& root, const std::string& folder);

SourceFile MakeSource(std::string path, std::string_view text);

/// All #include directives, in order.
std::vector<Include> FindIncludes(const SourceFile& file);

/// "engine" of "engine/kv/block_pool.h"; empty for a path without folder.
std::string_view TopFolder(std::string_view path);
/// The folder of a file: "engine/kv" of "engine/kv/block_pool.h", "engine" of "engine/engine.h".
std::string_view Part(std::string_view path);

/// A function's body (or a class's, when it is not told apart): first and last line, from 1.
struct Block {
  int first = 0;
  int last = 0;
  std::string head;  // its first line
};
/// Functions by the indentation that clang-format gives them: free ones at column 0, members that
/// are defined in a class at column 2.
std::vector<Block> FindFunctions(const SourceFile& file);

}  // namespace emptor::testing
