"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const leaves = all(".leaf");
  const boxes = all(".chain, .tool, .subagent, .turn").reverse();
  const details = all("details");
  const before = new Map(details.map((it) => [it, it.open]));
  const search = document.getElementById("search");
  const nothing = document.getElementById("nothing");
  const filters = all("[data-filter]");
  let texts = null;
  let here = -1;

  // Shows the leaves that match, and what they are in.
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kinds = filters.filter((it) => it.getAttribute("aria-pressed") === "true").map((it) => it.dataset.filter);
    const active = words.length > 0 || kinds.length > 0;
    if (words.length > 0) {
      texts ??= leaves.map((it) => {
        const chain = it.closest(".chain")?.querySelector(".point")?.textContent ?? "";
        return (chain + " " + it.textContent).toLowerCase();
      });
    }
    let any = false;
    leaves.forEach((leaf, index) => {
      const kind = kinds.length === 0 || kinds.includes(leaf.dataset.k);
      const match = kind && words.every((word) => texts[index].includes(word));
      leaf.classList.toggle("off", active && !match);
      any ||= match;
    });
    for (const box of boxes) {
      const match = !active || box.querySelector(".leaf:not(.off)") !== null;
      box.classList.toggle("off", !match);
    }
    for (const it of details) {
      if (it.classList.contains("leaf")) continue;
      it.open = active ? !it.classList.contains("off") : before.get(it);
    }
    all("h3").forEach((it) => it.classList.toggle("off", active));
    nothing.hidden = !active || any;
    here = -1;
  };

  const clear = () => {
    search.value = "";
    filters.forEach((it) => it.setAttribute("aria-pressed", "false"));
    all(".here").forEach((it) => it.classList.remove("here"));
    apply();
  };

  const openAll = (open) => details.forEach((it) => { it.open = open; });

  // The next leaf at which something happened.
  const move = (by) => {
    const loud = leaves.filter((it) => it.dataset.k !== "hooks" && it.getClientRects().length > 0);
    if (loud.length === 0) return;
    all(".here").forEach((it) => it.classList.remove("here"));
    here = (here + by + loud.length + (here < 0 && by < 0 ? 1 : 0)) % loud.length;
    loud[here].classList.add("here");
    loud[here].scrollIntoView({ block: "center" });
  };

  const toggle = () => {
    const it = document.querySelector(".here");
    const box = it?.matches("details") ? it : it?.querySelector("details") ?? it?.closest("details");
    if (box) box.open = !box.open;
  };

  const theme = () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  };

  // A link may lead into something that is closed or hidden.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.closest(".off")) clear();
    for (let it = target; it; it = it.parentElement) if (it.tagName === "DETAILS") it.open = true;
    target.scrollIntoView({ block: "center" });
  };

  search.addEventListener("input", apply);
  filters.forEach((it) => it.addEventListener("click", () => {
    it.setAttribute("aria-pressed", String(it.getAttribute("aria-pressed") !== "true"));
    apply();
  }));
  document.getElementById("open").addEventListener("click", () => openAll(true));
  document.getElementById("close").addEventListener("click", () => openAll(false));
  document.getElementById("theme").addEventListener("click", theme);
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => openAll(true));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") { clear(); search.blur(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === search) return;
    const keys = { "/": () => search.focus(), j: () => move(1), k: () => move(-1), o: toggle, e: () => openAll(true), c: () => openAll(false), t: theme };
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (act) { event.preventDefault(); act(); }
  });
  if (location.hash) reveal();
  document.documentElement.dataset.ready = String(leaves.length);
})();
