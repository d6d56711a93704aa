// The tables of the maps that name models: `generator`, an entry of `models`, and its `adapters`.
#include <algorithm>

#include "services/app/settings.h"

namespace emptor::services {
namespace {

std::string_view CheckModelName(const std::string& name) {
  return IsModelName(name) && name != kAssistantModel
             ? ""
             : "1 to 96 of [A-Za-z0-9._-], not emptor-assistant";
}

std::string_view CheckAdapterName(const std::string& name) {
  return IsModelName(name) ? "" : "1 to 96 of [A-Za-z0-9._-]";
}

std::string_view CheckLanguage(const std::string& code) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return code.size() == 2 && std::all_of(code.begin(), code.end(), is_small) ? ""
                                                                             : "two-letter codes";
}

std::string_view CheckPresent(const std::string& text) { return text.empty() ? "a path" : ""; }

using Generator = GeneratorSettings;
const Setting<Generator> kGenerator[] = {
    {.name = "model",
     .member = &Generator::model,
     .meaning = "Name of the model on the server. Servers of one model take requests without it; "
                "Anthropic-style ones do not.",
     .default_text = "none is sent"},
    {.name = "api",
     .member = &Generator::api,
     .meaning = "Interface: `openai` is POST /v1/chat/completions, `anthropic` POST /v1/messages. "
                "`auto` goes by the URL.",
     .choices = {"auto", "openai", "anthropic"}},
    {.name = "key_env",
     .member = &Generator::key_env,
     .meaning = "Environment variable that holds the API key.",
     .default_text = "no key"},
    {.name = "key_file",
     .member = &Generator::key_file,
     .meaning = "File that holds the API key.",
     .default_text = "no key"},
    {.name = "ca_file",
     .member = &Generator::ca_file,
     .meaning = "Certificates, in PEM, that the server's certificate is verified against.",
     .default_text = "those of the system"},
    {.name = "timeout_ms",
     .member = &Generator::timeout_ms,
     .meaning = "Milliseconds from the question to the end of the model's text, all attempts "
                "together.",
     .low = 1,
     .high = 600000},
    {.name = "first_token_ms",
     .member = &Generator::first_token_ms,
     .meaning = "Milliseconds from the question to the model's first text, all attempts together. "
                "After it, the answer is written from the records.",
     .low = 1,
     .high = 600000},
    {.name = "stall_ms",
     .member = &Generator::stall_ms,
     .meaning = "Milliseconds between two pieces of the model's text.",
     .low = 1,
     .high = 600000},
    {.name = "attempts",
     .member = &Generator::attempts,
     .meaning = "How often a request is sent while no text has come. A pause that the server asks "
                "for is kept if it ends within `first_token_ms`.",
     .low = 1,
     .high = 10},
    {.name = "prompt",
     .member = &Generator::prompt,
     .meaning = "How the prompt explains references. `references`: not at all, the model was "
                "trained on them. `instructions`: by a text. `examples`: by the text and a few "
                "answers.",
     .choices = {"examples", "instructions", "references"}},
    {.name = "languages",
     .member = &Generator::languages,
     .meaning = "Languages in which the model answers, as two-letter codes. Empty: all.",
     .type_text = "list of codes",
     .check = CheckLanguage}};

const Setting<ModelSpec> kModels[] = {
    {.name = "name",
     .member = &ModelSpec::name,
     .meaning = "Name by which requests and commands choose the model. Names are unique.",
     .default_text = "none, required",
     .example = "qwen",
     .check = CheckModelName},
    {.name = "path",
     .member = &ModelSpec::path,
     .meaning = "GGUF file or model directory.",
     .default_text = "none, required",
     .type_text = "path",
     .example = "/models/qwen2.5-1.5b.gguf",
     .check = CheckPresent},
    {.name = "kind",
     .member = &ModelSpec::kind,
     .meaning = "A language model or a text encoder.",
     .choices = {"llm", "encoder"}},
    {.name = "load",
     .member = &ModelSpec::load,
     .meaning = "Whether the model is loaded at the start, or when an operator asks for it.",
     .choices = {"true", "false"}},
    {.name = "references",
     .member = &ModelSpec::references,
     .meaning = "Whether the model was trained to write references instead of facts.",
     .choices = {"true", "false"},
     .default_text = "as the model's file says, else false"},
    {.name = "languages",
     .member = &ModelSpec::languages,
     .meaning = "Languages in which the model answers, as two-letter codes.",
     .default_text = "as the model's file says, else all",
     .type_text = "list of codes",
     .example = "[en, de]",
     .check = CheckLanguage},
    {.name = "adapter",
     .member = &ModelSpec::adapter,
     .meaning =
         "LoRA adapter that is added to the model's weights when it is loaded: a GGUF file or "
         "a PEFT folder.",
     .type_text = "path"},
    {.name = "draft_model",
     .member = &ModelSpec::draft_model,
     .meaning = "Smaller model of the same vocabulary, which guesses ahead for this one "
                "(speculative decoding): a GGUF file or a model directory.",
     .type_text = "path"},
    {.name = kAdaptersSetting,
     .member = &ModelSpec::adapters,
     .meaning =
         "LoRA adapters over the model, which requests choose as NAME:ADAPTER. Each is a map, "
         "see below.",
     .type_text = "list of maps"}};

const Setting<AdapterSpec> kAdapters[] = {
    {.name = "name",
     .member = &AdapterSpec::name,
     .meaning = "Name of the adapter, behind that of its model and a colon.",
     .default_text = "none, required",
     .example = "support",
     .check = CheckAdapterName},
    {.name = "path",
     .member = &AdapterSpec::path,
     .meaning = "GGUF file or PEFT folder.",
     .default_text = "none, required",
     .type_text = "path",
     .example = "/models/qwen-support",
     .check = CheckPresent},
    {.name = "references",
     .member = &AdapterSpec::references,
     .meaning = "Whether the adapter was trained to write references instead of facts.",
     .choices = {"true", "false"},
     .default_text = "as the model"},
    {.name = "languages",
     .member = &AdapterSpec::languages,
     .meaning = "Languages in which the model answers with the adapter, as two-letter codes.",
     .default_text = "as the model",
     .type_text = "list of codes",
     .example = "[en]",
     .check = CheckLanguage}};

}  // namespace

std::span<const Setting<GeneratorSettings>> GeneratorMembers() { return kGenerator; }
std::span<const Setting<ModelSpec>> ModelMembers() { return kModels; }
std::span<const Setting<AdapterSpec>> AdapterMembers() { return kAdapters; }

}  // namespace emptor::services
