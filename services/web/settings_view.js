// The window with the reader's choices: language, light or dark, details for developers.

import { openDialog } from "./dialogs.js";
import { el } from "./dom.js";
import { kThemes } from "./preferences.js";
import { kLanguages } from "./strings.js";

/// Opens the window. `onChange(name)` is called after a choice was kept in `ui.preferences`.
export function openSettings(ui, onChange) {
  const { strings, preferences } = ui;
  const set = (name, value) => {
    preferences.set({ [name]: value });
    onChange(name);
  };
  const languages = Object.entries(kLanguages).map(([code, { name }]) => ({
    value: code,
    text: name,
    lang: kLanguages[code].tag,
  }));
  const themes = kThemes.map((theme) => ({ value: theme, text: strings.t(`theme_${theme}`) }));
  const box = el("input", { type: "checkbox", class: "switch" });
  box.checked = preferences.developer;
  box.addEventListener("change", () => set("developer", box.checked));
  openDialog(ui, {
    title: strings.t("settings"),
    content: [
      select(strings.t("language"), languages, strings.language, (value) => set("language", value)),
      select(strings.t("theme"), themes, preferences.theme, (value) => set("theme", value)),
      el("label", { class: "check" }, box, strings.t("developerDetails")),
    ],
  });
}

function select(label, options, value, onChange) {
  const field = el(
    "select",
    { class: "text-field" },
    ...options.map((option) =>
      el("option", { value: option.value, lang: option.lang }, option.text),
    ),
  );
  field.value = value;
  field.addEventListener("change", () => onChange(field.value));
  return el("label", { class: "setting" }, el("span", {}, label), field);
}
