// Parts that the sections of the admin page share.
import { el, textButton } from "../dom.js";

/** Calls `task` now and every `milliseconds`, one call at a time, until the signal. */
export async function repeat(signal, milliseconds, task) {
  while (!signal.aborted) {
    await task();
    if (signal.aborted) return;
    await new Promise((done) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        done();
      };
      const timer = setTimeout(finish, milliseconds);
      signal.addEventListener("abort", finish);
    });
  }
}

/** Replaces what a node holds; the control with the same data-focus keeps the focus. Children that
 * take along nodes of the old content come from a function, so that the focus is read before. */
export function replaceContent(node, ...children) {
  const focused = node.contains(document.activeElement)
    ? document.activeElement.getAttribute("data-focus")
    : null;
  const made = children.map((child) => (typeof child === "function" ? child() : child));
  node.replaceChildren(...made.flat().filter(Boolean));
  if (focused === null) return;
  node.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
}

/** A table that becomes a list of cards on a narrow window. `columns` are `{name, cell(row), kind?}`;
 * `kind`: "number" or "time". */
export function table(label, columns, rows) {
  const head = columns.map(({ name, kind }) =>
    el("th", { role: "columnheader", scope: "col", class: kind }, name),
  );
  const body = rows.map((row) =>
    el(
      "tr",
      { role: "row" },
      columns.map(({ name, cell, kind }) => {
        const content = [cell(row)].flat();
        return el(
          "td",
          { role: "cell", class: kind },
          el("span", { class: "cell-name", "aria-hidden": "true" }, name),
          el("div", { class: "cell-content" }, content),
        );
      }),
    ),
  );
  return el(
    "table",
    { role: "table", class: "table", "aria-label": label },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, head)),
    el("tbody", { role: "rowgroup" }, body),
  );
}

/** `rows` are pairs of a name and a value; those without a value are left out. `kind`: "counts" for
 * short values, "wide" for long ones. */
export function facts(rows, kind = "") {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (shown.length === 0) return null;
  return el(
    "dl",
    { class: `facts ${kind}` },
    shown.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** `tone`: "good", "busy", "bad" or "quiet". */
export function badge(text, tone = "quiet") {
  return el("span", { class: `badge badge-${tone}` }, text);
}

/** The badge of a state: `states` are pairs of a text and a tone by name. */
export function stateBadge(states, state) {
  return badge(...(states[state] ?? [state, "quiet"]));
}

/** `share` of 0 to 1; null: how much is left is not known. */
export function progress(label, share) {
  const percent = share === null ? null : Math.round(Math.min(1, Math.max(0, share)) * 100);
  const bar = el("progress", { max: 100, value: percent, "aria-label": label });
  return el("div", { class: "progress" }, bar, percent === null ? "" : `${percent} %`);
}

/** Says that there is nothing, and what to do. */
export function emptyNote(title, ...text) {
  return el("div", { class: "empty" }, el("p", { class: "empty-title" }, title), el("p", {}, text));
}

export function errorNote(error, retry = null) {
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("p", {}, error.message),
    retry === null ? null : textButton("Try again", retry),
  );
}

/** A section with a heading. */
export function panel(title, ...children) {
  return el("section", { class: "panel" }, el("h2", {}, title), children.flat());
}

/** A section of the page as the frame shows it: its title, what it is for, and its content. */
export function pageSection(title, purpose, ...children) {
  return el(
    "div",
    { class: "page-section" },
    el("h1", { tabindex: "-1" }, title),
    el("p", { class: "purpose" }, purpose),
    children.flat(),
  );
}

/** A button that cannot be pressed twice while its work is under way. */
export function actionButton(text, act, attributes = {}) {
  const button = textButton(
    text,
    async () => {
      button.disabled = true;
      try {
        await act();
      } finally {
        button.disabled = false;
      }
    },
    attributes,
  );
  return button;
}

/** Asks before something that cannot be undone: true when the operator agrees. */
export function confirmAction(question, text, verb) {
  return new Promise((decide) => {
    const title = el("h2", { id: "confirm-title" }, question);
    const yes = textButton(verb, () => dialog.close("yes"), {
      class: "button-quiet button-danger",
    });
    const no = textButton("Go back", () => dialog.close(""));
    const dialog = el(
      "dialog",
      { class: "confirm", "aria-labelledby": "confirm-title" },
      title,
      el("p", {}, text),
      el("div", { class: "actions" }, no, yes),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      decide(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
