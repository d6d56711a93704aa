// The reader's verdict on an answer: good, or bad with a reason.

import { el, iconButton, textButton } from "./dom.js";

const kReasons = ["wrong", "not_relevant", "incomplete", "too_long", "unsafe", "other"];

/// True once the service said that it takes no feedback: then no answer offers it.
let isRefused = false;

/// The two buttons, and the place where the reason is asked. Empty where the answer has no id or
/// the service takes no feedback. `onRated()` is called when the turn's rating was kept.
export function feedbackParts(turn, ui, onRated) {
  if (isRefused || turn.answerId === "") return { buttons: [], panel: null };
  const { strings } = ui;
  const panel = el("div", { class: "feedback" });
  const note = (key) => panel.replaceChildren(el("p", { role: "status" }, strings.t(key)));
  const rate = async (rating, details = {}) => {
    const id = ui.conversationId();
    const conversation = id === null ? {} : { conversation_id: id };
    const verdict = { answer_id: turn.answerId, ...conversation, rating, ...details };
    const isTaken = await send(ui.service, verdict);
    if (isTaken) {
      turn.rating = rating;
      buttons.forEach(mark);
      onRated();
    }
    if (isTaken && rating === "down" && details.reason === undefined) return;
    note(isTaken ? "feedbackThanks" : "feedbackFailed");
    if (isRefused) buttons.forEach((button) => button.remove());
  };
  const mark = (button) =>
    button.setAttribute("aria-pressed", String(button.dataset.rating === turn.rating));
  const button = (rating, name, key, onClick) => {
    const made = iconButton(name, strings.t(key), onClick, { "data-rating": rating });
    mark(made);
    return made;
  };
  const buttons = [
    button("up", "up", "goodAnswer", () => rate("up")),
    button("down", "down_thumb", "badAnswer", () => {
      panel.replaceChildren(
        reasonForm(
          ui,
          (details) => rate("down", details),
          () => panel.replaceChildren(),
        ),
      );
      panel.querySelector("input").focus();
      rate("down");
    }),
  ];
  return { buttons, panel };
}

async function send(service, body) {
  try {
    const response = await service.send("POST", "/v1/feedback", body);
    if (response.status === 404 || response.status === 405) isRefused = true;
    return response.ok;
  } catch {
    return false;
  }
}

function reasonForm({ strings }, onSend, onCancel) {
  const name = `reason-${Math.random().toString(36).slice(2)}`;
  const choices = kReasons.map((reason, index) => {
    const box = el("input", { type: "radio", name, value: reason, checked: index === 0 });
    return el("label", { class: "check" }, box, strings.t(`reason_${reason}`));
  });
  const label = strings.t("feedbackComment");
  const comment = el("textarea", {
    class: "text-field",
    rows: 2,
    maxlength: 1000,
    placeholder: label,
    "aria-label": label,
    dir: "auto",
  });
  const form = el(
    "form",
    { class: "feedback-form" },
    el("fieldset", {}, el("legend", {}, strings.t("feedbackTitle")), ...choices),
    comment,
    el(
      "div",
      { class: "form-actions" },
      el("button", { type: "submit", class: "button" }, strings.t("feedbackSend")),
      textButton(strings.t("cancel"), onCancel),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = comment.value.trim();
    const reason = form.querySelector(":checked").value;
    onSend({ reason, ...(words === "" ? {} : { comment: words }) });
  });
  return form;
}
