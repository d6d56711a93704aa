// The editor of the FAQ: entries, their state, and a form for one.
import { el, textButton } from "../dom.js";
import { shopPath } from "./admin_client.js";
import { formatPlural } from "./format.js";
import {
  actionButton,
  badge,
  confirmAction,
  emptyNote,
  errorNote,
  pageSection,
  replaceContent,
  stateBadge,
} from "./parts.js";

const kStates = {
  valid: ["In use", "good"],
  pending: ["Not yet valid", "quiet"],
  expired: ["Expired", "quiet"],
  broken: ["Broken reference", "bad"],
};
const kPage = 200;

/** An id for an entry, from its question: "Do you ship to Iceland?" is "do-you-ship-to-iceland". */
export function idOfQuestion(question) {
  const plain = question
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  const id = plain
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60)
    .replaceAll(/-+$/g, "");
  return id === "" ? `entry-${Date.now().toString(36)}` : id;
}

/** A stored time as the day that was meant: "2026-12-24"; a time within a day stays as it is. The
 * last day of an entry is stored as its end. */
export function dayOf(time, isEnd) {
  const match = /^(\d{4}-\d{2}-\d{2})T00:00:00Z$/.exec(time ?? "");
  if (match === null) return time ?? "";
  const day = new Date(`${match[1]}T00:00:00Z`);
  if (isEnd) day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

/** The entry that the fields describe, over what was stored. */
export function entryOf(fields, stored = null) {
  const questions = fields.questions
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const entry = { questions, answer: fields.answer.trim() };
  if (stored?.owner !== undefined) entry.owner = stored.owner;
  for (const name of ["locale", "category", "valid_from", "valid_until"]) {
    const written = (fields[name] ?? "").trim();
    if (written !== "") entry[name] = written;
  }
  return entry;
}

function field(form, { name, label, hint = "", value = "", rows = 0, type = "text" }) {
  const id = `faq-${name}`;
  const attributes = {
    id,
    name,
    class: "text-field",
    "aria-describedby": hint ? `${id}-hint` : null,
  };
  const control =
    rows > 0 ? el("textarea", { ...attributes, rows }) : el("input", { ...attributes, type });
  control.value = value;
  form.append(
    el(
      "div",
      { class: "field" },
      el("label", { for: id }, label),
      hint ? el("p", { class: "hint", id: `${id}-hint` }, hint) : "",
      control,
    ),
  );
  return control;
}

function buildForm(entry) {
  const form = el("form", { class: "editor", novalidate: true });
  const controls = {
    questions: field(form, {
      name: "questions",
      label: "Questions",
      rows: 4,
      value: (entry.questions ?? []).join("\n"),
      hint: "One way to ask on each line. The more there are, the more often the entry is found.",
    }),
    answer: field(form, {
      name: "answer",
      label: "Answer",
      rows: 5,
      value: entry.answer ?? "",
      hint: "Shown word for word. {product ID price} becomes the price of today; see the FAQ manual for more.",
    }),
    locale: field(form, {
      name: "locale",
      label: "Language",
      value: entry.locale ?? "",
      hint: "For example en-US. Empty: any.",
    }),
    category: field(form, { name: "category", label: "Category", value: entry.category ?? "" }),
    valid_from: field(form, {
      name: "valid_from",
      label: "Valid from",
      value: dayOf(entry.valid_from, false),
      hint: "A day, such as 2026-12-24. Empty: at once.",
    }),
    valid_until: field(form, {
      name: "valid_until",
      label: "Valid until",
      value: dayOf(entry.valid_until, true),
      hint: "The last day. Empty: no end.",
    }),
  };
  return { form, controls };
}

/** Why an entry was not saved, with what to do. */
function saveNote(error, id, isNew) {
  if (error.status !== 412) return errorNote(error);
  return errorNote(
    new Error(
      isNew
        ? `There is an entry “${id}” already: change that one, or word the first question otherwise.`
        : "Somebody else changed this entry. Open it again, and make your change to that version.",
    ),
  );
}

/** Asks, deletes an entry, and goes back to the list; an error goes to `problem`. */
async function removeEntry({ client, shop, say }, entry, problem) {
  const agreed = await confirmAction(
    "Delete this entry?",
    "Shoppers no longer get its answer.",
    "Delete",
  );
  if (!agreed) return;
  try {
    await client.send("DELETE", shopPath(shop, "faq", { id: entry.id }), null, {
      "If-Match": `"${entry.etag}"`,
    });
    say("The entry is deleted.");
    location.hash = "#faq";
  } catch (error) {
    replaceContent(problem, errorNote(error));
  }
}

function editEntry(context, entry, isNew) {
  const { client, shop, say } = context;
  const problem = el("div", {});
  const { form, controls } = buildForm(entry);
  const save = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(
      Object.entries(controls).map(([name, { value }]) => [name, value]),
    );
    const written = entryOf(fields, entry);
    const missing =
      written.questions.length === 0
        ? controls.questions
        : written.answer === ""
          ? controls.answer
          : null;
    if (missing !== null) {
      replaceContent(problem, errorNote(new Error("An entry needs a question and an answer.")));
      return missing.focus();
    }
    const id = isNew ? idOfQuestion(written.questions[0]) : entry.id;
    const match = isNew ? { "If-None-Match": "*" } : { "If-Match": `"${entry.etag}"` };
    try {
      await client.send("PUT", shopPath(shop, "faq", { id }), written, match);
      say("The entry is saved.");
      location.hash = "#faq";
    } catch (error) {
      replaceContent(problem, saveNote(error, id, isNew));
    }
  };
  form.addEventListener("submit", save);
  form.append(
    problem,
    el(
      "div",
      { class: "actions" },
      el("button", { class: "button" }, "Save"),
      el("a", { class: "button-quiet", href: "#faq" }, "Cancel"),
      isNew ? null : actionButton("Delete", () => removeEntry(context, entry, problem)),
    ),
  );
  return pageSection(
    isNew ? "New entry" : "Change an entry",
    "A question that asks the same as an entry gets its answer, without a language model.",
    form,
  );
}

function entryItem(entry) {
  const [first, ...others] = entry.questions ?? [];
  return el(
    "li",
    { class: "card-row", "data-entry": entry.id },
    el(
      "div",
      { class: "card-head" },
      el(
        "h2",
        {},
        el("a", { href: `#faq/edit/${encodeURIComponent(entry.id)}` }, first ?? entry.id),
      ),
      stateBadge(kStates, entry.status),
      entry.locale ? badge(entry.locale) : null,
    ),
    others.length > 0 ? el("p", { class: "quiet" }, `Also: ${others.join(" · ")}`) : null,
    el("p", {}, entry.answer),
    (entry.broken ?? []).map((reason) => el("p", { class: "problem-text" }, valueText(reason))),
  );
}

function valueText(reason) {
  return typeof reason === "string" ? reason : Object.values(reason).join(": ");
}

/** How many entries are shown, and of how many: what is not loaded is not searched. */
export function countText(found, loaded, total) {
  const shown = formatPlural(found, "entry", "entries");
  if (loaded >= total) return `${shown} of ${total}`;
  return `${shown} of the ${loaded} loaded, ${total} in all`;
}

function noEntry() {
  return emptyNote(
    "The FAQ has no entry yet.",
    "Write one here, or import a table with ",
    el("code", {}, "emptor faq import faq.csv"),
    ". Documents of kind faq in the catalog answer, too; they are not listed here.",
  );
}

function showList({ client, shop, signal }) {
  const list = el("ul", { class: "cards" });
  const notes = el("div", {});
  const filter = el("input", {
    class: "text-field",
    id: "faq-filter",
    type: "search",
    autocomplete: "off",
  });
  const more = el("div", {});
  let entries = [];
  const render = (total, next) => {
    const wanted = filter.value.trim().toLowerCase();
    const fits = (entry) =>
      JSON.stringify([entry.questions, entry.answer, entry.id]).toLowerCase().includes(wanted);
    const found = entries.filter(fits);
    replaceContent(list, found.map(entryItem));
    replaceContent(
      notes,
      total === 0
        ? noEntry()
        : el(
            "p",
            { class: "quiet", role: "status" },
            countText(found.length, entries.length, total),
          ),
    );
    replaceContent(more, next ? textButton("Load more entries", () => load(next)) : null);
    filter.oninput = () => render(total, next);
  };
  const load = async (cursor = null) => {
    try {
      const page = await client.get(shopPath(shop, "faq", { cursor, limit: kPage }), signal);
      entries = [...entries, ...page.entries];
      render(page.total, page.next_cursor ?? null);
    } catch (error) {
      if (!signal.aborted)
        replaceContent(
          notes,
          errorNote(error, () => load(cursor)),
        );
    }
  };
  load();
  return pageSection(
    "FAQ",
    "Answers that your staff wrote. They are given word for word.",
    el(
      "div",
      { class: "toolbar" },
      el("div", { class: "field" }, el("label", { for: "faq-filter" }, "Find an entry"), filter),
      el("a", { class: "button", href: "#faq/new" }, "New entry"),
    ),
    notes,
    list,
    more,
  );
}

/** The entry of an id, among those that are listed page by page. */
async function findEntry({ client, shop, signal }, id) {
  for (let cursor = null; ;) {
    const page = await client.get(shopPath(shop, "faq", { cursor, limit: kPage }), signal);
    const found = page.entries.find((entry) => entry.id === id);
    if (found !== undefined || !page.next_cursor) return found ?? null;
    cursor = page.next_cursor;
  }
}

export function showFaq(context) {
  const [mode, argument = ""] = context.rest;
  if (mode === "new") return editEntry(context, { questions: argument ? [argument] : [] }, true);
  if (mode !== "edit") return showList(context);
  const place = el("div", {}, el("p", { class: "quiet" }, "Loading the entry …"));
  findEntry(context, argument)
    .then((entry) =>
      replaceContent(
        place,
        entry === null
          ? emptyNote("There is no such entry.", el("a", { href: "#faq" }, "All entries"))
          : editEntry(context, entry, false),
      ),
    )
    .catch((error) => {
      if (!context.signal.aborted) replaceContent(place, errorNote(error));
    });
  return place;
}
