// The tables of the design: who may include whom, and where each library is wrapped.
#include "tests/layering/rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace emptor::testing {
namespace {

using View = std::string_view;

const std::map<View, std::set<View>> kMayInclude = {
    {"catalog", {"catalog"}},
    {"engine", {"engine"}},
    {"retrieval", {"retrieval", "catalog"}},
    {"services", {"services", "retrieval", "engine", "catalog"}},
};

// Headers that only their own part may include.
constexpr std::array<View, 6> kPrivateHeaders = {
    "catalog/storage/change_log.h",      "catalog/storage/database.h",
    "catalog/storage/leveldb_support.h", "catalog/storage/record_store_impl.h",
    "catalog/backup/backup_list.h",      "catalog/backup/staged_file.h"};

// A library's headers and the files that may include them, by the beginning of their paths.
struct Library {
  View prefix;
  std::vector<View> places;
};
const std::vector<Library> kLibraries = {
    {"leveldb/", {"catalog/storage/"}},
    {"rapidjson/", {"catalog/encoding/json.cc", "engine/json/json_tree.cc"}},
    {"faiss/",
     {"retrieval/vector/faiss_", "retrieval/vector/rabitq_index",
      "retrieval/vector/record_selector.h", "retrieval/vector/vector_index.cc"}},
    {"pistache/", {"services/http/"}},
    {"unicode/",
     {"retrieval/text/", "retrieval/query/", "retrieval/cache/", "catalog/feed/",
      "catalog/text_safety/", "engine/tokenizer/", "engine/encoder/", "engine/jinja/",
      "services/grounding/"}},
    {"libstemmer.h", {"retrieval/text/stemmer.cc"}},
    {"CLI/", {"services/cli/command.cc"}},
    {"yaml-cpp/", {"services/"}},
    {"curl/", {"services/"}},
    {"prometheus/", {"services/"}},
    {"openssl/",
     {"services/", "catalog/encoding/base64.cc", "catalog/encoding/sha256.cc", "engine/encoder/",
      "engine/tokenizer/base64.cc"}},
    {"spdlog/", {"services/", "engine/", "retrieval/", "catalog/"}},
    {"xxhash.h", {"catalog/encoding/hash64.cc"}},
    {"zlib.h",
     {"catalog/feed/", "services/api/gzip.cc", "services/ingest/job_files.cc",
      "services/model_files/wheel.cc"}},
    {"zstd.h", {"catalog/backup/", "catalog/feed/", "services/"}},
    {"grpcpp/", {"services/"}},
    {"google/protobuf/", {"services/"}},
    {"libpq-fe.h", {"services/", "catalog/"}},
    {"hiredis/", {"services/"}},
    {"expat.h", {"catalog/feed/xml_parser.cc"}},
    {"libxml/", {"catalog/text_safety/html_text.cc"}},
    {"md4c.h", {"catalog/documents/markdown_text.cc"}},
    {"poppler/", {"catalog/documents/pdf_text.cc"}},
    {"seccomp.h", {"catalog/documents/pdf_call_filter.cc"}},
    {"immintrin.h", {"engine/kernels/", "retrieval/vector/"}},
    {"omp.h", {"engine/kernels/", "retrieval/vector/"}},
    {"gtest/", {}},
    {"gmock/", {}},
    {"benchmark/", {}},
    {"nlohmann/", {}},
    {"boost/", {"services/http/"}},
    {"absl/log/", {}},
    {"absl/strings/string_view.h", {}},
    {"absl/types/", {}},
};

// Libraries whose types a header of ours may show.
constexpr std::array<View, 9> kVocabulary = {
    "absl/status/", "absl/container/", "absl/functional/", "absl/hash/", "fmt/",
    "sys/",         "leveldb/",        "pistache/",        "faiss/"};

bool StartsWithAny(View text, const auto& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](View prefix) { return text.starts_with(prefix); });
}

bool IsOurs(View target) {
  const View folder = TopFolder(target);
  return kMayInclude.contains(folder) || folder == "tests";
}

Complaints CheckLibraryInclude(const SourceFile& file, const Include& include) {
  for (const Library& library : kLibraries) {
    if (!include.target.starts_with(library.prefix)) continue;
    if (StartsWithAny(file.path, library.places)) break;
    return {At(file, include.line, "<" + include.target + "> is wrapped elsewhere")};
  }
  const bool third_party = include.target.find('/') != std::string::npos;
  if (file.is_header() && third_party && !StartsWithAny(include.target, kVocabulary)) {
    return {At(file, include.line, "<" + include.target + "> shows in a header: hide it")};
  }
  return {};
}

}  // namespace

std::string At(const SourceFile& file, int line, View what) {
  return file.path + ":" + std::to_string(line) + ": " + std::string(what);
}

void Append(Complaints& all, Complaints more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Complaints CheckFolders(const std::vector<SourceFile>& files) {
  Complaints complaints;
  std::set<View> paths;
  for (const SourceFile& file : files) paths.insert(file.path);
  for (const SourceFile& file : files) {
    const auto allowed = kMayInclude.find(TopFolder(file.path));
    for (const Include& include : FindIncludes(file)) {
      if (include.target.starts_with(".") || include.target.find("/../") != std::string::npos) {
        complaints.push_back(At(file, include.line, "a relative include: spell it from the root"));
      }
      if (!IsOurs(include.target)) continue;
      if (allowed == kMayInclude.end() || !allowed->second.contains(TopFolder(include.target))) {
        complaints.push_back(At(file, include.line, "may not include " + include.target));
      } else if (!paths.contains(include.target) && !include.target.ends_with(".pb.h")) {
        complaints.push_back(At(file, include.line, include.target + " does not exist"));
      }
      const bool is_private = StartsWithAny(include.target, kPrivateHeaders);
      if (is_private && Part(include.target) != Part(file.path)) {
        complaints.push_back(At(file, include.line, include.target + " is private to its part"));
      }
    }
  }
  return complaints;
}

Complaints CheckThirdParty(const std::vector<SourceFile>& files) {
  Complaints complaints;
  for (const SourceFile& file : files) {
    for (const Include& include : FindIncludes(file)) {
      if (!IsOurs(include.target)) Append(complaints, CheckLibraryInclude(file, include));
    }
  }
  return complaints;
}

Complaints CheckForm(const std::vector<SourceFile>& files) {
  constexpr std::array<View, 6> kNoFolders = {"/common/", "/util/",    "/utils/",
                                              "/misc/",   "/include/", "/helpers/"};
  constexpr std::array<View, 3> kOpenWork = {
      "TO"
      "DO",
      "FIX"
      "ME",
      "X"
      "XX:"};
  Complaints complaints;
  for (const SourceFile& file : files) {
    for (View folder : kNoFolders) {
      if (file.path.find(folder) != std::string::npos) {
        complaints.push_back(file.path + ": there is no folder " + std::string(folder));
      }
    }
    if (file.lines.empty() || !file.lines[0].starts_with("// ")) {
      complaints.push_back(file.path + ":1: the first line tells what the file is for");
    }
    if (file.is_header() &&
        std::find(file.lines.begin(), file.lines.end(), "#pragma once") == file.lines.end()) {
      complaints.push_back(file.path + ": no #pragma once");
    }
    for (size_t i = 0; i < file.lines.size(); ++i) {
      for (View word : kOpenWork) {
        if (file.lines[i].find(word) == std::string::npos) continue;
        complaints.push_back(At(file, static_cast<int>(i) + 1, "open work: " + file.lines[i]));
      }
    }
  }
  return complaints;
}

Complaints CheckSizes(const std::vector<SourceFile>& files, const SizeLimits& limits) {
  Complaints complaints;
  for (const SourceFile& file : files) {
    const int lines = static_cast<int>(file.lines.size());
    if (lines >= limits.file_lines) {
      complaints.push_back(file.path + ": " + std::to_string(lines) + " lines, split at " +
                           std::to_string(limits.file_lines));
    }
    for (const Block& function : FindFunctions(file)) {
      const int length = function.last - function.first + 1;
      if (length < limits.function_lines) continue;
      complaints.push_back(At(file, function.first,
                              std::to_string(length) + " lines, split at " +
                                  std::to_string(limits.function_lines) + ": " + function.head));
    }
  }
  return complaints;
}

}  // namespace emptor::testing
