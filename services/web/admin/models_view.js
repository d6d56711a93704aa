// The models of the service: what each is doing, and which one answers.
import { el } from "../dom.js";
import { formatAgo, formatBytes, formatCount, formatSeconds } from "./format.js";
import {
  actionButton,
  badge,
  errorNote,
  facts,
  pageSection,
  progress,
  repeat,
  stateBadge,
  replaceContent,
} from "./parts.js";

const kStates = {
  unloaded: ["Not loaded", "quiet"],
  loading: ["Loading", "busy"],
  unloading: ["Unloading", "busy"],
  available: ["Ready", "good"],
  failed: ["Failed", "bad"],
};
const kStarted = { activate: "activating", load: "loading", unload: "unloading" };
const kKinds = { llm: "Language model", encoder: "Text encoder for search", adapter: "Adapter" };

function factsOf(model) {
  const size = Number.isFinite(model.parameters)
    ? `${formatCount(Math.round(model.parameters / 1e5) / 10)} million parameters, ${formatBytes(model.bytes)}`
    : null;
  return facts([
    ["Model", model.title],
    ["Size", size],
    ["Weights", model.file_type],
    ["Context", model.context_length ? `${formatCount(model.context_length)} tokens` : null],
    ["Vectors", model.dimension ? `${formatCount(model.dimension)} numbers each` : null],
    ["Adapters", (model.adapters ?? []).map(({ name }) => name).join(", ")],
    ["Loaded", model.loaded_at ? loadedText(model) : null],
  ]);
}

function loadedText(model) {
  const ago = formatAgo(model.loaded_at * 1000);
  return model.load_seconds > 0 ? `${ago}, in ${formatSeconds(model.load_seconds)}` : ago;
}

/** What can be done with a model now. */
function actionsOf(model, act) {
  const isBusy = model.state === "loading" || model.state === "unloading";
  const button = (text, action, attributes = {}) =>
    actionButton(text, () => act(model.name, action), {
      "aria-label": `${text} ${model.name}`,
      "data-focus": `${action} ${model.name}`,
      ...attributes,
    });
  if (isBusy) return [];
  const all = [];
  if (!model.active)
    all.push(button("Activate", "activate", { class: "button-quiet button-main" }));
  if (model.state !== "available") all.push(button("Load", "load"));
  if (model.state === "available" && !model.active) all.push(button("Unload", "unload"));
  return all;
}

function modelCard(model, act) {
  const buttons = actionsOf(model, act);
  return el(
    "li",
    { class: "card-row", "data-model": model.name },
    el(
      "div",
      { class: "card-head" },
      el("h2", {}, model.name),
      stateBadge(kStates, model.state),
      model.active ? badge("In use", "good") : null,
    ),
    el("p", { class: "quiet" }, kKinds[model.kind] ?? model.kind),
    model.state === "loading"
      ? progress(
          `Loading ${model.name}`,
          Number.isFinite(model.percent) ? model.percent / 100 : null,
        )
      : null,
    model.reason ? el("p", { class: "problem-text" }, model.reason) : null,
    factsOf(model),
    facts([["File", model.path]], "wide"),
    buttons.length > 0 ? el("div", { class: "actions" }, buttons) : null,
  );
}

function generatorNote(generator) {
  if (!generator || generator.kind === "engine") return null;
  const text =
    generator.kind === "none"
      ? "No language model writes answers: they are written by code, from the records."
      : `Answers are written by another service (${generator.kind}: ${generator.model}).`;
  return el("p", { class: "note" }, text);
}

export function showModels({ client, signal, say }) {
  const list = el("ul", { class: "cards" });
  const notes = el("div", {});
  const problem = el("div", {}); // of an action, until the next one
  let shown = "";
  let known = [];
  const act = async (name, action) => {
    replaceContent(problem);
    try {
      await client.send("POST", `/admin/models/${encodeURIComponent(name)}/${action}`);
      say(`${name}: ${kStarted[action]}.`);
    } catch (error) {
      replaceContent(problem, errorNote(error));
    }
    await refresh();
  };
  const refresh = async () => {
    try {
      const [{ models }, generator] = await Promise.all([
        client.get("/admin/models", signal),
        client.get("/admin/generator", signal).catch(() => null),
      ]);
      const state = JSON.stringify([models, generator]);
      if (state === shown) return;
      reportChanges(known, models, say);
      known = models;
      shown = state;
      replaceContent(notes, generatorNote(generator));
      replaceContent(
        list,
        models.map((model) => modelCard(model, act)),
      );
    } catch (error) {
      if (signal.aborted) return;
      shown = "";
      replaceContent(notes, errorNote(error));
    }
  };
  repeat(signal, 1000, refresh);
  return pageSection(
    "Models",
    "The model in use writes the answers. Activating another one loads it first; answers go on meanwhile.",
    problem,
    notes,
    list,
  );
}

/** Says aloud which models became ready or failed. */
function reportChanges(before, models, say) {
  for (const model of models) {
    const was = before.find(({ name }) => name === model.name);
    if (was === undefined) continue;
    if (model.active && !was.active) say(`${model.name} is in use.`);
    if (was.state === model.state || model.active) continue;
    if (model.state === "available") say(`${model.name} is ready.`);
    if (model.state === "failed") say(`${model.name} failed to load.`);
  }
}
