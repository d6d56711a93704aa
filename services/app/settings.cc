// The table of settings.
#include "services/app/settings.h"

#include "retrieval/vector/vector_index_spec.h"
#include "services/auth/web_origin.h"
#include "services/models/grpc_model_url.h"

namespace emptor::services {
namespace {

std::string_view CheckAddress(const std::string& text) {
  return ParseListenAddress(text).ok() ? "" : "HOST:PORT";
}

/// A host of a Content-Security-Policy; no character may end the directive.
std::string_view CheckImageHost(const std::string& host) {
  const bool is_host = host.rfind("https://", 0) == 0 &&
                       host.find_first_of(" ;,'\"\t\r\n") == std::string::npos && host.size() < 256;
  return is_host || host == kNoImageHosts ? "" : "https://host, or none";
}

std::string_view CheckVectorIndex(const std::string& text) {
  return text == kAutoVectorIndex || retrieval::ParseVectorIndex(text).ok()
             ? ""
             : "auto or a FAISS factory string such as \"RaBitQ1,Refine8\", \"Flat\", "
               "\"IVF4096,SQ8\" or \"HNSW32,SQ8\"";
}

std::string_view CheckModel(const std::string& text) {
  return IsGrpcModelUrl(text) && !ParseGrpcModelUrl(text).ok() ? "grpc://HOST:PORT[/NAME]" : "";
}

std::string_view CheckGenerator(const std::string& text) {
  return text == "none" || IsGeneratorUrl(text) ? "" : "none, http://host or https://host";
}

const Setting<Config> kService[] = {
    {.name = "data_dir",
     .member = &Config::data_dir,
     .meaning = "Directory of the shops' data. One process at a time may use it.",
     .type_text = "directory"},
    {.name = "listen",
     .member = &Config::listen,
     .meaning = "Address of the service. Port 0 takes a free port.",
     .type_text = "HOST:PORT",
     .check = CheckAddress},
    {.name = "admin_listen",
     .member = &Config::admin_listen,
     .meaning = "Address of the admin port: health, metrics, models, shops, keys. What changes "
                "anything there needs an admin key.",
     .type_text = "HOST:PORT",
     .check = CheckAddress},
    {.name = "public_url",
     .member = &Config::public_url,
     .meaning = "URL by which clients reach the service, such as https://shop.example. Links in "
                "replies begin with it.",
     .default_text = "the request's Host header",
     .type_text = "URL"},
    {.name = "images_dir",
     .member = &Config::images_dir,
     .meaning = "Directory of images served under /images/. Empty: none are served.",
     .default_text = "the sample shop's images, where they are installed",
     .type_text = "directory"},
    {.name = "image_hosts",
     .member = &Config::image_hosts,
     .meaning =
         "Hosts from which the pages may load images, such as https://cdn.example, in place "
         "of those of the shop's records (`emptor shop image-hosts`). `none`: none. They are "
         "written into the Content-Security-Policy.",
     .default_text = "the hosts of the records' pictures",
     .type_text = "list of https://host",
     .check = CheckImageHost},
    {.name = "default_locale",
     .member = &Config::default_locale,
     .meaning = "Locale of requests that name none. A question in Chinese is answered in zh-CN.",
     .type_text = "BCP 47 tag"},
    {.name = "log_level",
     .member = &Config::log_level,
     .meaning = "Least severe messages that are logged.",
     .choices = {"info", "warning", "error", "off"}},
    {.name = "access_log",
     .member = &Config::access_log,
     .meaning = "Whether each request is logged with one line, at log level info. Lines hold no "
                "query string and no text of a shopper.",
     .choices = {"true", "false"}},
    {.name = "drain_ms",
     .member = &Config::drain_ms,
     .meaning = "Milliseconds that a stop waits for running answers, and that unloading a model "
                "waits for its requests.",
     .low = 0,
     .high = 600000}};

std::string_view CheckHostName(const std::string& name) {
  const bool is_name = !name.empty() && name.size() < 256 &&
                       name.find_first_of(" /:*,\"'\t\r\n") == std::string::npos;
  return is_name ? "" : "a host name without port, such as shop.example";
}

std::string_view CheckDirectory(const std::string& path) {
  return path.starts_with('/') ? "" : "an absolute path";
}

std::string_view CheckBucket(const std::string& name) {
  const bool is_bucket =
      !name.empty() && name.find_first_of("/: \t") == std::string::npos && name.size() < 64;
  return is_bucket ? "" : "the name of a bucket";
}

const Setting<Config> kAccess[] = {
    {.name = "open_reading",
     .member = &Config::open_reading,
     .meaning =
         "Whether a request without a key may read and ask. `until_keys`: on an address of "
         "this machine, until the first key is issued, also when that has ended. What changes "
         "anything always needs a key.",
     .choices = {"until_keys", "always", "never"}},
    {.name = "insecure",
     .member = &Config::insecure,
     .meaning = "Whether the service starts on an address that other machines reach without a key "
                "for them. Whoever reaches `listen` may then read and ask without one.",
     .choices = {"true", "false"}},
    {.name = "allowed_hosts",
     .member = &Config::allowed_hosts,
     .meaning = "Names by which clients may address the service, besides localhost, addresses, "
                "and the host of `public_url`. Another name in the header Host is refused: a page "
                "elsewhere could have led a browser here (DNS rebinding).",
     .type_text = "list of host names",
     .check = CheckHostName},
    {.name = "backup_roots",
     .member = &Config::backup_roots,
     .meaning = "Directories in which the admin port may write backups, besides `backups` in the "
                "data directory.",
     .type_text = "list of directories",
     .check = CheckDirectory},
    {.name = "backup_buckets",
     .member = &Config::backup_buckets,
     .meaning = "Buckets of S3 into which the admin port may write backups.",
     .type_text = "list of buckets",
     .check = CheckBucket}};

std::string_view CheckAddressOfProxy(const std::string& text) {
  return IsIpAddress(text) ? "" : "an address, such as 10.0.0.1";
}

constexpr int kMaxRate = 1000000000;

const Setting<Config> kLimits[] = {
    {.name = "trusted_proxies",
     .member = &Config::trusted_proxies,
     .meaning = "Addresses of proxies whose header X-Forwarded-For names the client, besides those "
                "of this machine.",
     .type_text = "list of addresses",
     .check = CheckAddressOfProxy},
    {.name = "address_requests_per_minute",
     .member = &Config::address_requests_per_minute,
     .meaning =
         "Requests of one client address, without a key or with a browser key. A fifth of it "
         "may come at once. Programs of this machine are not limited. 0: no limit.",
     .low = 0,
     .high = kMaxRate},
    {.name = "address_tokens_per_minute",
     .member = &Config::address_tokens_per_minute,
     .meaning = "Tokens that language models read and write for one client address. 0: no limit.",
     .low = 0,
     .high = kMaxRate},
    {.name = "address_streams",
     .member = &Config::address_streams,
     .meaning = "Event streams that one client address may have open. 0: no limit.",
     .low = 0,
     .high = 1000000},
    {.name = "key_requests_per_minute",
     .member = &Config::key_requests_per_minute,
     .meaning = "Requests of one browser or server key, over all clients. A fifth of it may come "
                "at once. 0: no limit.",
     .low = 0,
     .high = kMaxRate},
    {.name = "key_tokens_per_minute",
     .member = &Config::key_tokens_per_minute,
     .meaning = "Tokens that language models read and write for one browser or server key. 0: no "
                "limit.",
     .low = 0,
     .high = kMaxRate},
    {.name = "key_streams",
     .member = &Config::key_streams,
     .meaning = "Event streams that one browser or server key may have open. 0: no limit.",
     .low = 0,
     .high = 1000000}};

const Setting<Config> kLoad[] = {
    {.name = "http_threads",
     .member = &Config::http_threads,
     .meaning = "Threads that read requests. They hand all work on and never wait for it.",
     .low = 1,
     .high = 64},
    {.name = "max_streams",
     .member = &Config::max_streams,
     .meaning = "Event streams that may be open at once. More are refused with 503.",
     .low = 1,
     .high = 1000000},
    {.name = "max_import_megabytes",
     .member = &Config::max_import_megabytes,
     .meaning = "Largest request body, in MiB. A larger feed is uploaded in parts.",
     .low = 1,
     .high = 1024},
    {.name = "unfinished_megabytes",
     .member = &Config::unfinished_megabytes,
     .meaning =
         "Memory for requests that are not complete yet, in MiB, on each port. Beyond it they "
         "get 503. At least the largest request body counts.",
     .low = 1,
     .high = 1 << 20},
    {.name = "workers",
     .member = &Config::workers,
     .meaning = "Threads that search, write prompts and check answers.",
     .low = 1,
     .high = 256},
    {.name = "max_queued",
     .member = &Config::max_queued,
     .meaning = "Questions and searches that may wait for a worker. More are refused with 429.",
     .low = 1,
     .high = 100000},
    {.name = "answer_deadline_ms",
     .member = &Config::answer_deadline_ms,
     .meaning = "Milliseconds after which an answer ends, finished or not.",
     .low = 100,
     .high = 3600000},
    {.name = "max_products",
     .member = &Config::max_products,
     .meaning = "Products that an answer shows at most.",
     .low = 1,
     .high = 5},
    {.name = "answer_cache_megabytes",
     .member = &Config::answer_cache_megabytes,
     .meaning = "Memory of each open shop's cache of answers, in MiB. 0: every answer is made.",
     .low = 0,
     .high = 4096},
    {.name = "answer_cache_seconds",
     .member = &Config::answer_cache_seconds,
     .meaning = "Seconds after which an answer in the cache is made again. Facts in it are never "
                "older than the records.",
     .low = 1,
     .high = 86400}};

const Setting<Config> kShops[] = {
    {.name = "max_open_shops",
     .member = &Config::max_open_shops,
     .meaning = "Shops that stay open while they are idle. Beyond it, the shop that was idle "
                "longest is closed.",
     .low = 1,
     .high = 100000},
    {.name = "all_shops_megabytes",
     .member = &Config::all_shops_megabytes,
     .meaning = "Memory of all open shops together, in MiB. Beyond it, idle shops are closed. 0: "
                "no limit.",
     .low = 0,
     .high = 1 << 20},
    {.name = "shop_megabytes",
     .member = &Config::shop_megabytes,
     .meaning = "Memory of one shop, in MiB: index, words, storage caches. Beyond it, new text is "
                "refused with 507; prices, stock and deletions are accepted.",
     .low = 16,
     .high = 1 << 20},
    {.name = "vector_index",
     .member = &Config::vector_index,
     .meaning =
         "FAISS index of a shop's vectors, as a factory string. `auto` is `RaBitQ1,Refine8`, "
         "which scans 1-bit codes and scores the best exactly. `IVF4096,SQ8` and "
         "`HNSW32,SQ8` are trained; `Flat` is exhaustive.",
     .type_text = "`auto` or factory string",
     .check = CheckVectorIndex},
    {.name = "screen",
     .member = &Config::screen,
     .meaning = "What happens to imported text that addresses the assistant. `flag` accepts it "
                "with a warning, `quarantine` stores it where no shopper sees it, `off` does not "
                "look for it.",
     .choices = {"off", "flag", "quarantine"}}};

const Setting<Config> kConversations[] = {
    {.name = "conversation_hours",
     .member = &Config::conversation_hours,
     .meaning = "Hours after its last turn for which a conversation is remembered.",
     .low = 1,
     .high = 24 * 365},
    {.name = "stored_conversations",
     .member = &Config::stored_conversations,
     .meaning = "Conversations of a shop that are kept on disk, so that they survive a restart. "
                "Beyond it, the one that was idle longest is dropped. 0: nothing is written, "
                "conversations end with the process, and those that were stored are deleted.",
     .low = 0,
     .high = 1000000},
    {.name = "conversation_megabytes",
     .member = &Config::conversation_megabytes,
     .meaning =
         "Answers that a shop keeps with its stored conversations, in MiB, so that a shopper "
         "can read them again. Beyond it, the oldest is dropped.",
     .low = 1,
     .high = 1 << 16},
    {.name = "trace_megabytes",
     .member = &Config::trace_megabytes,
     .meaning = "Traces of answers that a shop keeps with its stored conversations, in MiB, for "
                "`emptor ask --replay`. Beyond it, the oldest is dropped. A trace holds the "
                "shopper's words and the answer. 0: none is kept.",
     .low = 0,
     .high = 1 << 16}};

const Setting<Config> kModelSettings[] = {
    {.name = "model",
     .member = &Config::model,
     .meaning = "Language model: a GGUF file, a model directory, a name of `models` (NAME:ADAPTER "
                "with one "
                "of its adapters), or a model of an engine server, grpc://HOST:PORT[/NAME]. "
                "`none`: answers "
                "are written from the records alone.",
     .default_text = "the shipped model, emptor-lm.gguf",
     .type_text = "path, name, URL or `none`",
     .check = CheckModel},
    {.name = "adapter",
     .member = &Config::adapter,
     .meaning =
         "LoRA adapter that is added to the weights of `model` when it is loaded: a GGUF file "
         "or a PEFT folder. Adapters that requests choose are in `models`.",
     .type_text = "path"},
    {.name = "draft_model",
     .member = &Config::draft_model,
     .meaning = "Smaller model of the same vocabulary as `model`, which guesses ahead for it "
                "(speculative decoding) in place of `speculation`: a GGUF file or a model "
                "directory.",
     .type_text = "path"},
    {.name = kGeneratorSetting,
     .member = &Config::generator,
     .meaning = "Endpoint whose language model phrases answers, in place of `model`: the URL of an "
                "OpenAI-compatible or Anthropic-style server. While it fails, answers are written "
                "from the records. A map gives more of it, see below.",
     .type_text = "URL, `none` or map",
     .check = CheckGenerator},
    {.name = kEmbedderSetting,
     .member = &Config::embedder,
     .meaning = "Embedding model: a GGUF file, a model directory, or the URL of an "
                "OpenAI-compatible endpoint. A map gives more of it, see below.",
     .default_text = "the shipped model, emptor-embed.gguf",
     .type_text = "path, URL or map"},
    {.name = "need_embedder",
     .member = &Config::need_embedder,
     .meaning =
         "Embedding model that compares a message with sentences of other shoppers, where it "
         "describes a need and names no goods: a GGUF file, or a model directory. `none`: "
         "their words decide alone.",
     .default_text = "the shipped model, emptor-embed-multilingual.gguf",
     .type_text = "path or `none`"},
    {.name = kModelsSetting,
     .member = &Config::models,
     .meaning = "More models, which requests name and operators activate. Each is a map, see "
                "below.",
     .type_text = "list of maps"}};

const SettingGroup kGroups[] = {{"Service", kService},      {"Access", kAccess},
                                {"Limits", kLimits},        {"Load", kLoad},
                                {"Shops", kShops},          {"Conversations", kConversations},
                                {"Models", kModelSettings}, {"LLM engine", EngineSettings()}};

using Embedder = EmbedderSettings;
const Setting<Embedder> kEmbedder[] = {
    {.name = "query_prefix",
     .member = &Embedder::query_prefix,
     .meaning = "Text in front of every query, such as \"query: \" for E5.",
     .default_text = "as the model's directory says, else none"},
    {.name = "passage_prefix",
     .member = &Embedder::passage_prefix,
     .meaning = "Text in front of every passage.",
     .default_text = "as the model's directory says, else none"},
    {.name = "threads",
     .member = &Embedder::threads,
     .meaning = "Model in this process: threads of a BERT. 0: one per core.",
     .low = 0,
     .high = 256},
    {.name = "weights",
     .member = &Embedder::weights,
     .meaning = "Model in this process: element type of a BERT's matrices.",
     .choices = {"f32", "bf16", "q8_0"},
     .default_text = "q8_0; a quantised file as it is"},
    {.name = "model",
     .member = &Embedder::model,
     .meaning = "Endpoint: name of the model. An endpoint needs it."},
    {.name = "dimension",
     .member = &Embedder::dimension,
     .meaning = "Endpoint: length of its vectors. With it, the service starts while the endpoint "
                "is down.",
     .low = 1,
     .high = 1 << 16,
     .default_text = "asked for at the start"},
    {.name = "send_dimension",
     .member = &Embedder::send_dimension,
     .meaning = "Endpoint: request vectors of that length, from models that can shorten them.",
     .choices = {"true", "false"}},
    {.name = "send_input_type",
     .member = &Embedder::send_input_type,
     .meaning = "Endpoint: send `input_type`, which is `query` or `passage`.",
     .choices = {"true", "false"}},
    {.name = "encoding",
     .member = &Embedder::base64,
     .meaning = "Endpoint: encoding of the vectors. `base64` takes a third of the bytes.",
     .choices = {"base64", "float"}},
    {.name = "key_env",
     .member = &Embedder::key_env,
     .meaning = "Endpoint: environment variable that holds the API key.",
     .default_text = "no key"},
    {.name = "key_file",
     .member = &Embedder::key_file,
     .meaning = "Endpoint: file that holds the API key.",
     .default_text = "no key"},
    {.name = "batch",
     .member = &Embedder::batch,
     .meaning = "Endpoint: texts of one request.",
     .low = 1,
     .high = 2048},
    {.name = "attempts",
     .member = &Embedder::attempts,
     .meaning = "Endpoint: how often a request for passages is sent before it has failed. A query "
                "is sent once.",
     .low = 1,
     .high = 20},
    {.name = "timeout_ms",
     .member = &Embedder::timeout_ms,
     .meaning = "Endpoint: milliseconds of a request for passages.",
     .low = 1,
     .high = 600000},
    {.name = "query_timeout_ms",
     .member = &Embedder::query_timeout_ms,
     .meaning = "Endpoint: milliseconds of a request for a query. After it, the search goes by "
                "words alone.",
     .low = 1,
     .high = 60000},
    {.name = "when_changed",
     .member = &Embedder::embed_when_changed,
     .meaning = "What happens to a shop whose vectors another embedder made. `embed` embeds its "
                "records again, `refuse` does not open it.",
     .choices = {"embed", "refuse"}}};

}  // namespace

std::span<const SettingGroup> SettingGroups() { return kGroups; }
std::span<const Setting<EmbedderSettings>> EmbedderMembers() { return kEmbedder; }

const Setting<Config>* FindSetting(std::string_view name) {
  for (const SettingGroup& group : kGroups) {
    for (const Setting<Config>& setting : group.settings) {
      if (setting.name == name) return &setting;
    }
  }
  return nullptr;
}

}  // namespace emptor::services
