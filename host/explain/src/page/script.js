"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const search = document.getElementById("search");
  const nothing = document.getElementById("nothing");
  const filters = () => all("[data-filter]");
  // The open elements before the search.
  let before = null;
  let here = null;

  const textOf = (leaf) => {
    const chain = leaf.closest(".chain")?.querySelector(".point")?.textContent ?? "";
    return (chain + " " + leaf.textContent).toLowerCase();
  };

  const matches = (leaf, words) => {
    const text = textOf(leaf);
    return words.every((word) => text.includes(word));
  };

  // Shows the leaves that match, and the elements around them.
  const apply = () => {
    if (!search || !nothing) return;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kinds = filters().filter((it) => it.getAttribute("aria-pressed") === "true").map((it) => it.dataset.filter);
    const active = words.length > 0 || kinds.length > 0;
    if (!active && before === null) return;
    before ??= new Map(all("details").map((it) => [it, it.open]));
    let any = false;
    for (const leaf of all(".leaf")) {
      const kind = kinds.length === 0 || kinds.includes(leaf.dataset.k);
      const match = kind && (words.length === 0 || matches(leaf, words));
      leaf.classList.toggle("off", active && !match);
      any ||= match;
    }
    for (const box of all(".chain, .tool, .subagent, .turn").reverse()) {
      const match = !active || box.querySelector(".leaf:not(.off)") !== null;
      box.classList.toggle("off", !match);
    }
    for (const it of all("details")) {
      if (it.classList.contains("leaf")) continue;
      it.open = active ? !it.classList.contains("off") : before.get(it) ?? it.open;
    }
    all(".row.step").forEach((it) => it.classList.toggle("off", active));
    nothing.hidden = !active || any;
    if (!active) before = null;
  };

  const clear = () => {
    if (search) search.value = "";
    filters().forEach((it) => it.setAttribute("aria-pressed", "false"));
    here?.classList.remove("here");
    here = null;
    apply();
  };

  const openAll = (open) => all("details").forEach((it) => { it.open = open; });

  // Moves to the next leaf with a notable event.
  const move = (by) => {
    const loud = all(".leaf").filter((it) => it.dataset.k !== "hooks" && it.getClientRects().length > 0);
    if (loud.length === 0) return;
    const at = loud.indexOf(here);
    here?.classList.remove("here");
    here = loud[(at + by + loud.length + (at < 0 && by < 0 ? 1 : 0)) % loud.length];
    here.classList.add("here");
    here.scrollIntoView({ block: "center" });
  };

  const toggle = () => {
    const box = here?.matches("details") ? here : here?.querySelector("details") ?? here?.closest("details");
    if (box) box.open = !box.open;
  };

  const theme = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };

  // A link's target may be closed or hidden.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.closest(".off")) clear();
    for (let it = target; it; it = it.parentElement) if (it.tagName === "DETAILS") it.open = true;
    target.scrollIntoView({ block: "center" });
  };

  search?.addEventListener("input", apply);
  addEventListener("click", (event) => {
    const filter = event.target.closest?.("[data-filter]");
    if (filter) {
      filter.setAttribute("aria-pressed", String(filter.getAttribute("aria-pressed") !== "true"));
      apply();
    }
    const acts = { open: () => openAll(true), close: () => openAll(false), theme };
    const button = event.target.closest?.("button")?.id;
    if (Object.hasOwn(acts, button ?? "")) acts[button]();
  });
  // The page has new elements.
  addEventListener("portcullis:more", apply);
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => openAll(true));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") { clear(); search?.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea")) return;
    const keys = { "/": () => search?.focus(), j: () => move(1), k: () => move(-1), o: toggle, e: () => openAll(true), c: () => openAll(false), t: theme };
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (act) { event.preventDefault(); act(); }
  });
  if (location.hash) reveal();
  document.documentElement.dataset.ready = "";
})();
