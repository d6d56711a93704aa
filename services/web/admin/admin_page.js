// The frame of the admin page: sign-in, the choice of a shop, and the sections.
import { el, textButton } from "../dom.js";
import { AdminClient, partsOfHash, reasonOf } from "./admin_client.js";
import { showAnswers } from "./answers_view.js";
import { showFaq } from "./faq_view.js";
import { showJobs } from "./jobs_view.js";
import { showLoad } from "./load_view.js";
import { showModels } from "./models_view.js";
import { replaceContent } from "./parts.js";
import { showQuestions } from "./questions_view.js";

/** Of this tab alone, and gone with it: the key is never written to disk or into an address. */
const kKeyItem = "emptor.admin.key";
const kShopItem = "emptor.admin.shop";
const kDefaultShop = "default";

const kSections = [
  { id: "models", name: "Models", show: showModels },
  { id: "imports", name: "Imports", show: showJobs },
  { id: "questions", name: "Open questions", show: showQuestions },
  { id: "answers", name: "Answers", show: showAnswers },
  { id: "faq", name: "FAQ", show: showFaq },
  { id: "load", name: "Load", show: showLoad },
];

function kept(item) {
  try {
    return sessionStorage.getItem(item) ?? "";
  } catch {
    return "";
  }
}

function keep(item, value) {
  try {
    if (value === "") sessionStorage.removeItem(item);
    else sessionStorage.setItem(item, value);
  } catch {
    // Where nothing can be kept, the key lives in memory, until the page is loaded again.
  }
}

/** Text that a screen reader hears without a change of focus. */
const announcer = el("p", { class: "spoken", role: "status" });
const say = (text) => (announcer.textContent = text);

function brand() {
  return el(
    "span",
    { class: "mark" },
    el("img", { src: "/admin/assets/icon.svg", width: 28, height: 28, alt: "" }),
    "Emptor admin",
  );
}

function signInForm() {
  const field = el("input", {
    class: "text-field",
    id: "key",
    name: "key",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    "aria-describedby": "key-hint",
  });
  const problem = el("div", {});
  const button = el("button", { class: "button" }, "Sign in");
  const form = el(
    "form",
    { class: "sign-in", novalidate: true },
    el("h1", {}, "Sign in"),
    el(
      "div",
      { class: "field" },
      el("label", { for: "key" }, "Admin key"),
      el(
        "p",
        { class: "hint", id: "key-hint" },
        "The first start of the service wrote one to ",
        el("code", {}, "admin.key"),
        " in its data directory. More come from ",
        el("code", {}, "emptor key issue admin"),
        ".",
      ),
      field,
    ),
    problem,
    button,
    el("p", { class: "quiet" }, "The key stays in this tab, and is forgotten when you close it."),
  );
  return { form, field, problem, button };
}

class SignIn {
  constructor(onKey) {
    this.onKey = onKey;
  }

  show(message = "") {
    const { form, field, problem, button } = signInForm();
    const refuse = (text) =>
      replaceContent(problem, el("p", { class: "problem", role: "alert" }, text));
    if (message !== "") refuse(message);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const key = field.value.trim();
      if (key === "") {
        refuse("Enter an admin key.");
        return field.focus();
      }
      button.disabled = true;
      const reason = await this.onKey(key);
      button.disabled = false;
      if (reason === "") return;
      refuse(reason);
      field.select();
    });
    document.title = "Sign in · Emptor admin";
    document.body.replaceChildren(
      el("header", { class: "bar" }, el("div", { class: "bar-inner" }, brand())),
      el("main", { class: "content" }, form),
      announcer,
    );
    field.focus();
  }
}

class AdminPage {
  #client = null;
  #shops = [];
  #shop = kDefaultShop;
  #leave = new AbortController();
  #signIn = new SignIn((key) => this.#enter(key));
  #main = el("main", { class: "content", id: "main", tabindex: "-1" });
  #nav = el("nav", { class: "sections", "aria-label": "Sections" });

  async start() {
    addEventListener("hashchange", () => this.#client && this.#showSection(true));
    const key = kept(kKeyItem);
    if (key === "") return this.#signIn.show();
    const reason = await this.#enter(key);
    if (reason !== "") this.#signIn.show(reason);
  }

  /** Returns why the key is not taken, or "". */
  async #enter(key) {
    const client = new AdminClient(
      key,
      (refusal) => this.#client === client && this.#signOut(reasonOf(refusal)),
    );
    try {
      this.#shops = (await client.get("/admin/shops")).shops.map(({ name }) => name);
    } catch (refusal) {
      if (refusal.status === 401 || refusal.status === 403) keep(kKeyItem, "");
      return reasonOf(refusal);
    }
    this.#client = client;
    keep(kKeyItem, key);
    const wanted = kept(kShopItem);
    this.#shop = this.#shops.includes(wanted)
      ? wanted
      : this.#shops.includes(kDefaultShop)
        ? kDefaultShop
        : (this.#shops[0] ?? kDefaultShop);
    this.#showFrame();
    this.#showSection(false);
    return "";
  }

  #signOut(message = "") {
    this.#client = null;
    this.#leave.abort();
    keep(kKeyItem, "");
    this.#signIn.show(message);
  }

  #showFrame() {
    const choice = el(
      "select",
      { class: "text-field", id: "shop" },
      this.#shops.map((name) => el("option", { value: name, selected: name === this.#shop }, name)),
    );
    choice.addEventListener("change", () => {
      this.#shop = choice.value;
      keep(kShopItem, choice.value);
      say(`Shop ${choice.value}.`);
      // What is open may be of the other shop.
      const [section] = partsOfHash(location.hash);
      if (location.hash === `#${section}` || section === "") this.#showSection(false);
      else location.hash = `#${section}`;
    });
    const skip = el("a", { class: "skip", href: "#main" }, "Skip to the content");
    skip.addEventListener("click", (event) => {
      event.preventDefault();
      this.#main.focus();
    });
    document.body.replaceChildren(
      skip,
      el(
        "header",
        { class: "bar" },
        el(
          "div",
          { class: "bar-inner" },
          brand(),
          el(
            "div",
            { class: "bar-tools" },
            el("label", { for: "shop" }, "Shop"),
            choice,
            textButton("Sign out", () => this.#signOut()),
          ),
        ),
      ),
      this.#nav,
      this.#main,
      announcer,
    );
  }

  #showSection(moves) {
    this.#leave.abort();
    this.#leave = new AbortController();
    const [id, ...rest] = partsOfHash(location.hash);
    const section = kSections.find((each) => each.id === id) ?? kSections[0];
    this.#nav.replaceChildren(
      el(
        "ul",
        {},
        kSections.map(({ id: name, name: text }) =>
          el(
            "li",
            {},
            el(
              "a",
              { href: `#${name}`, "aria-current": name === section.id ? "page" : null },
              text,
            ),
          ),
        ),
      ),
    );
    const context = {
      client: this.#client,
      shop: this.#shop,
      signal: this.#leave.signal,
      rest,
      say,
    };
    document.title = `${section.name} · Emptor admin`;
    this.#main.replaceChildren(section.show(context));
    if (!moves) return;
    scrollTo(0, 0);
    this.#main.focus({ preventScroll: true });
  }
}

new AdminPage().start();
