// Line-based as source_tree.cc: clang-format gives each test and function its column.
#include "tests/layering/test_rules.h"

#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace emptor::testing {
namespace {

/// A function or test: where it lies and what it says.
struct Body {
  std::string name;  // empty: a test
  std::string text;
  int line = 0;
};

std::string Join(const SourceFile& file, int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i) text += file.lines[static_cast<size_t>(i - 1)] + "\n";
  return text;
}

bool IsTest(const std::string& line) {
  return line.starts_with("TEST") || line.starts_with("TYPED_TEST(");
}

/// The name before the first bracket of a head: "Check" of "int FlipTest::Check(long call) {".
std::string NameOf(const std::string& head) {
  const size_t bracket = head.find('(');
  if (bracket == std::string::npos) return {};
  size_t begin = bracket;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(head[begin - 1])) != 0 ||
                       head[begin - 1] == '_')) {
    --begin;
  }
  return head.substr(begin, bracket - begin);
}

std::vector<Body> FindBodies(const SourceFile& file) {
  std::vector<Body> bodies;
  for (const Block& block : FindFunctions(file)) {
    bodies.push_back({IsTest(block.head) ? "" : NameOf(block.head),
                      Join(file, block.first, block.last), block.first});
  }
  for (size_t i = 0; i < file.lines.size(); ++i) {  // those of one line
    const std::string& line = file.lines[i];
    if (!line.ends_with("}") || line.find(") {") == std::string::npos) continue;
    if (line.starts_with("    ")) continue;
    bodies.push_back({IsTest(line) ? "" : NameOf(line), line, static_cast<int>(i) + 1});
  }
  return bodies;
}

bool Asserts(const std::string& text) {
  for (const char* word : {"EXPECT_", "ASSERT_", "ADD_FAILURE", "FAIL("}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

std::set<std::string> CalledNames(const std::string& text) {
  static const std::regex kCall(R"((\w+)(?:<[^()<>]*>)?\()");
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), kCall), end; it != end; ++it) {
    names.insert((*it)[1]);
  }
  return names;
}

/// The file, the headers of tests/ that it includes, and the sources of the same names.
std::set<std::string> VisibleFiles(const SourceFile& file) {
  std::set<std::string> paths = {file.path};
  for (const Include& include : FindIncludes(file)) {
    if (!include.target.starts_with("tests/")) continue;
    paths.insert(include.target);
    paths.insert(include.target.substr(0, include.target.size() - 2) + ".cc");
  }
  return paths;
}

using Places = std::set<std::pair<std::string, std::string>>;  // path and name of a function

bool Calls(const Body& body, const std::set<std::string>& visible, const Places& asserting) {
  for (const std::string& name : CalledNames(body.text)) {
    for (const std::string& path : visible) {
      if (asserting.contains({path, name})) return true;
    }
  }
  return false;
}

}  // namespace

Complaints CheckTestsAssert(const std::vector<SourceFile>& files) {
  std::map<std::string, std::vector<Body>> bodies;
  std::map<std::string, std::set<std::string>> visible;
  for (const SourceFile& file : files) {
    bodies[file.path] = FindBodies(file);
    visible[file.path] = VisibleFiles(file);
  }
  Places asserting;
  for (bool added = true; added;) {
    added = false;
    for (const auto& [path, list] : bodies) {
      for (const Body& body : list) {
        if (body.name.empty() || asserting.contains({path, body.name})) continue;
        if (Asserts(body.text) || Calls(body, visible[path], asserting)) {
          added = asserting.insert({path, body.name}).second || added;
        }
      }
    }
  }
  Complaints complaints;
  for (const auto& [path, list] : bodies) {
    for (const Body& body : list) {
      if (!body.name.empty() || Asserts(body.text) || Calls(body, visible[path], asserting)) {
        continue;
      }
      complaints.push_back(path + ":" + std::to_string(body.line) + ": a test without assertion");
    }
  }
  return complaints;
}

Complaints CheckAssertionsCanFail(const std::vector<SourceFile>& files) {
  static const std::regex kCannotFail(
      R"(_GE\(.*, 0u\)|_GT\(.*, -1\)|_TRUE\(true\)|_FALSE\(false\)|SUCCEED\(\)|\bDISABLED_)");
  Complaints complaints;
  for (const SourceFile& file : files) {
    if (file.path.starts_with("tests/layering/")) continue;  // names them
    for (size_t i = 0; i < file.lines.size(); ++i) {
      if (!std::regex_search(file.lines[i], kCannotFail)) continue;
      complaints.push_back(file.path + ":" + std::to_string(i + 1) +
                           ": cannot fail: " + file.lines[i]);
    }
  }
  return complaints;
}

}  // namespace emptor::testing
