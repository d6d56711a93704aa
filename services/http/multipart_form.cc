// Bodies of multipart/form-data.
#include "services/http/multipart_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "services/http/syntax.h"

namespace emptor::services {
namespace {

using View = std::string_view;

constexpr View kType = "multipart/form-data";
constexpr View kLineEnd = "\r\n";
constexpr size_t kMaxBoundary = 70;
constexpr std::array<View, 4> kPlainEncodings = {"", "7bit", "8bit", "binary"};

absl::Status Fault(View what) { return absl::InvalidArgumentError(fmt::format("form: {}", what)); }

// The value of a field before its parameters, in lower case.
std::string FieldWord(View field) {
  return AsciiLowerCase(TrimBlanks(field.substr(0, field.find(';'))));
}

// Removes a token or a quoted string from the front of `text`; nothing if it begins with neither.
std::optional<std::string> TakeValue(View& text) {
  std::string value;
  if (!text.starts_with('"')) {
    const size_t end = std::min(text.find_first_of("; \t"), text.size());
    value = text.substr(0, end);
    text.remove_prefix(end);
    return IsToken(value) ? std::optional(value) : std::nullopt;
  }
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '"') {
      text.remove_prefix(i + 1);
      return value;
    }
    if (text[i] == '\\' && ++i == text.size()) break;
    value += text[i];
  }
  return std::nullopt;
}

// The value of the parameter in `field; a=1; b="2"`; empty if absent. Nothing if the parameters
// cannot be parsed or the parameter is repeated.
std::optional<std::string> FindParameter(View field, View wanted) {
  std::optional<std::string> found;
  View rest = field.substr(std::min(field.find(';'), field.size()));
  while (!rest.empty()) {
    rest = TrimBlanks(rest.substr(1));
    const size_t equals = rest.find('=');
    if (equals == View::npos) return std::nullopt;
    const std::string name = AsciiLowerCase(rest.substr(0, equals));
    rest.remove_prefix(equals + 1);
    const auto value = TakeValue(rest);
    if (!IsToken(name) || !value || (name == wanted && found)) return std::nullopt;
    if (name == wanted) found = *value;
    rest = TrimBlanks(rest);
    if (!rest.empty() && rest[0] != ';') return std::nullopt;
  }
  return found.value_or("");
}

// Extracts the name of a part from its head.
absl::StatusOr<std::string> NameOfPart(View head) {
  std::string name;
  while (!head.empty()) {
    const View line = head.substr(0, head.find(kLineEnd));
    head.remove_prefix(std::min(head.size(), line.size() + kLineEnd.size()));
    const size_t colon = line.find(':');
    if (colon == View::npos || !IsToken(line.substr(0, colon))) {
      return Fault("a part has a line in its head that is no field");
    }
    const std::string field = AsciiLowerCase(line.substr(0, colon));
    const View value = TrimBlanks(line.substr(colon + 1));
    if (field == "content-disposition") {
      const auto found = FindParameter(value, "name");
      if (!name.empty() || FieldWord(value) != "form-data" || !found || found->empty()) {
        return Fault("expected Content-Disposition: form-data; name=\"...\" of each part, once");
      }
      name = *found;
    } else if (field == "content-transfer-encoding" &&
               std::count(kPlainEncodings.begin(), kPlainEncodings.end(), FieldWord(value)) == 0) {
      return Fault("a part with a Content-Transfer-Encoding is not read");
    }
  }
  if (name.empty()) return Fault("a part without a name");
  return name;
}

// Removes one part from `rest`, which begins after the line of a boundary.
absl::StatusOr<FormPart> TakePart(View delimiter, View& rest) {
  constexpr View kHeadEnd = "\r\n\r\n";
  const size_t head_end = rest.substr(0, kMaxPartHeadBytes).find(kHeadEnd);
  if (head_end == View::npos) return Fault("a part whose head is too long or does not end");
  auto name = NameOfPart(rest.substr(0, head_end));
  if (!name.ok()) return name.status();
  rest.remove_prefix(head_end + kHeadEnd.size());
  const size_t end = rest.find(delimiter);
  if (end == View::npos) return Fault("the last boundary is missing");
  const FormPart part{*std::move(name), rest.substr(0, end)};
  rest.remove_prefix(end + delimiter.size());
  return part;
}

}  // namespace

bool IsMultipartForm(View content_type) { return FieldWord(content_type) == kType; }

absl::StatusOr<std::vector<FormPart>> ParseMultipartForm(View content_type, View body) {
  const auto boundary = FindParameter(content_type, "boundary");
  if (!IsMultipartForm(content_type) || !boundary || boundary->empty() ||
      boundary->size() > kMaxBoundary || boundary->find_first_of("\r\n") != std::string::npos) {
    return Fault("expected Content-Type: multipart/form-data; boundary=...");
  }
  const std::string delimiter = fmt::format("{}--{}", kLineEnd, *boundary);
  const View first = View(delimiter).substr(kLineEnd.size());
  if (!body.starts_with(first)) return Fault("expected a boundary at the beginning");
  View rest = body.substr(first.size());
  std::vector<FormPart> parts;
  while (!rest.starts_with("--")) {
    const size_t line_end = rest.find_first_not_of(" \t");
    if (line_end == View::npos || !rest.substr(line_end).starts_with(kLineEnd)) {
      return Fault("text after a boundary");
    }
    if (parts.size() == kMaxFormParts) return Fault(fmt::format("over {} parts", kMaxFormParts));
    rest.remove_prefix(line_end + kLineEnd.size());
    auto part = TakePart(delimiter, rest);
    if (!part.ok()) return part.status();
    parts.push_back(*std::move(part));
  }
  rest.remove_prefix(2);
  if (!rest.empty() && rest != kLineEnd) return Fault("text after the last boundary");
  return parts;
}

MultipartForm WriteMultipartForm(std::span<const FormPart> parts) {
  std::string boundary;
  const auto occurs = [&](const FormPart& part) {
    return part.content.find(boundary) != View::npos;
  };
  for (size_t i = 0; boundary.empty() || std::any_of(parts.begin(), parts.end(), occurs); ++i) {
    boundary = fmt::format("emptor-form-{}", i);
  }
  MultipartForm form{fmt::format("{}; boundary={}", kType, boundary), {}};
  for (const FormPart& part : parts) {
    form.body += fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n",
                             boundary, part.name);
    form.body.append(part.content).append(kLineEnd);
  }
  form.body += fmt::format("--{}--\r\n", boundary);
  return form;
}

}  // namespace emptor::services
