// Any bytes as a chat template: parsed or refused, rendered within small limits, and the content of
// messages stays content. The text before the first zero byte is the template, the rest the
// message.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/jinja/template.h"

namespace {

using namespace emptor::engine::jinja;

constexpr Limits kLimits = {
    .max_output_bytes = 1 << 16, .max_made_bytes = 1 << 21, .max_steps = 20'000};

void Require(bool holds) {
  if (!holds) std::abort();
}

Value Message(const char* role, std::string_view content) {
  return Value::DictOf({{Value(Text("role")), Value(Text(role))},
                        {Value(Text("content")), Value::String(content, Origin::kContent)}});
}

/// The runs cover the text, none is empty, neighbours differ.
void CheckRuns(const Text& text) {
  size_t end = 0;
  for (size_t i = 0; i < text.runs().size(); ++i) {
    Require(text.runs()[i].end > end);
    Require(i == 0 || text.runs()[i].origin != text.runs()[i - 1].origin);
    end = text.runs()[i].end;
  }
  Require(end == text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view source = input.substr(0, input.find('\0'));
  const std::string_view content = input.substr(std::min(size, source.size() + 1));
  const auto parsed = Template::Parse(source, kLimits);
  if (!parsed.ok()) return 0;
  const auto text = parsed->Render(
      {{"messages", Value::ListOf({Message("system", "be brief"), Message("user", content)})},
       {"bos_token", Value(Text("<s>"))},
       {"eos_token", Value(Text("</s>"))},
       {"add_generation_prompt", Value(true)},
       {"tools", Value(None{})}},
      1770120000);
  if (!text.ok()) return 0;
  Require(text->size() <= kLimits.max_output_bytes);
  CheckRuns(*text);
  // Bytes that only the message holds come out as content, unless the template can write them: an
  // escape or a number of its own.
  const bool may_write = source.find('\x01') != source.npos || source.find('\\') != source.npos;
  if (may_write) return 0;
  text->ForEachRun([](std::string_view run, Origin origin) {
    Require(origin == Origin::kContent || run.find('\x01') == run.npos);
  });
  return 0;
}
