// A modal window of the page: the browser keeps focus inside, closes it on Escape and gives the
// focus back.

import { el, iconButton } from "./dom.js";

/// Opens a window with a title, a close button and `content`, in `ui.host`. Returns it; close()
/// takes it away, and `onClose` is called then.
export function openDialog(ui, { title, content, className = "", onClose = () => {} }) {
  const heading = el("h2", { class: "dialog-title", id: "dialog-title" }, title);
  const dialog = el("dialog", {
    class: `dialog ${className}`,
    "aria-labelledby": "dialog-title",
    dir: ui.strings.direction,
  });
  const close = iconButton("close", ui.strings.t("close"), () => dialog.close());
  dialog.append(
    el("div", { class: "dialog-bar" }, heading, close),
    el("div", { class: "dialog-content" }, content),
  );
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  // What closes this window must not also close the panel that it is in.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose();
  });
  ui.host.append(dialog);
  dialog.showModal();
  return dialog;
}
