"use strict";
(() => {
  const meta = (name) => document.querySelector(`meta[name="portcullis-${name}"]`)?.content ?? "";
  const main = document.querySelector("main");
  // The elements that the reader opened or closed. Updates leave them open or closed.
  const touched = new WeakSet();

  const keep = (node, name) => name === "aria-pressed" || name === "hidden" && node.id === "nothing" || name === "open";

  // The target of an element's actions: a call or a turn. An element never becomes an element of another target, since
  // the reader may have typed into it or may be clicking it.
  const actsOn = ({ dataset }) => {
    const { checkpoint = "", call = "", session = "" } = dataset ?? {};
    return checkpoint || session ? JSON.stringify([checkpoint, call, session]) : "";
  };

  // Makes an element equal to another one. Equal parts are left alone, with the reader's position, focus and choices.
  const morph = (node, next) => {
    if (node.nodeName !== next.nodeName || actsOn(node) !== actsOn(next)) { node.replaceWith(next); return; }
    if (node.nodeType !== Node.ELEMENT_NODE) {
      if (node.data !== next.data) node.data = next.data;
      return;
    }
    for (const { name, value } of [...next.attributes]) {
      if (keep(node, name) || node.getAttribute(name) === value) continue;
      const marks = name === "class" ? ["off", "here"].filter((it) => node.classList.contains(it)) : [];
      node.setAttribute(name, value);
      node.classList.add(...marks);
    }
    for (const { name } of [...node.attributes]) {
      if (!keep(node, name) && !next.hasAttribute(name)) node.removeAttribute(name);
    }
    if (next.open && !node.open && !touched.has(node)) node.open = true;
    if (node.nodeName === "TEXTAREA" || node.nodeName === "INPUT") return;
    morphChildren(node, [...next.childNodes]);
  };

  // Children with a target are matched by their target, at any position. Other children are matched by their position.
  const morphChildren = (node, want) => {
    const wanted = new Set(want.map(actsOn).filter(Boolean));
    let at = node.firstChild;
    const drop = () => { const gone = at; at = at.nextSibling; gone.remove(); };
    const ahead = (key) => {
      let it = key && at;
      while (it && actsOn(it) !== key) it = it.nextSibling;
      return it || null;
    };
    for (const child of want) {
      const key = actsOn(child);
      const own = ahead(key);
      // A moved node loses the focus. So the nodes before it are removed instead, except those that are needed later.
      while (at && at !== own && (actsOn(at) ? !wanted.has(actsOn(at)) : own)) drop();
      if (own && own !== at) node.insertBefore(own, at);
      const same = own ?? (at && actsOn(at) === key ? at : null);
      if (same) {
        if (same === at) at = at.nextSibling;
        morph(same, child);
        continue;
      }
      child.classList?.add("new");
      node.insertBefore(child, at);
    }
    while (at) drop();
  };

  const element = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.firstElementChild;
  };

  const update = ({ order, changed }) => {
    const follows = innerHeight + scrollY >= document.documentElement.scrollHeight - 80 && scrollY > 0;
    let last = null;
    for (const id of order) {
      let node = document.getElementById(id);
      const html = changed[id];
      if (html !== undefined) {
        const next = element(html);
        if (node) morph(node, next);
        else { node = next; node.classList.add("new"); main.append(node); }
        node = document.getElementById(id);
      }
      if (!node) continue;
      const place = last ? last.nextElementSibling : main.firstElementChild;
      if (place !== node) last ? last.after(node) : main.prepend(node);
      last = node;
    }
    while (last?.nextElementSibling) last.nextElementSibling.remove();
    dispatchEvent(new Event("portcullis:more"));
    if (follows) scrollTo({ top: document.documentElement.scrollHeight });
    document.documentElement.dataset.updates = String(Number(document.documentElement.dataset.updates ?? 0) + 1);
  };

  const lives = (word) => { document.documentElement.dataset.live = word; };
  if (meta("events")) {
    const address = new URL(meta("events"), location.href);
    address.searchParams.set("version", meta("version"));
    const source = new EventSource(address);
    source.addEventListener("open", () => lives("on"));
    source.addEventListener("error", () => lives("off"));
    source.addEventListener("parts", (event) => update(JSON.parse(event.data)));
  }

  const send = async (path, body) => {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-portcullis-form": meta("form") },
      body: JSON.stringify(body),
    });
    if (answer.ok) return null;
    const { error } = await answer.json().catch(() => ({ error: "the server did not answer" }));
    return error;
  };

  const acts = {
    approve: () => ["/answer", { answer: "approve" }],
    deny: (box) => ["/answer", { answer: { deny: box.querySelector(".why").value } }],
    edit: (box) => ["/answer", { answer: { edit: box.querySelector("textarea").value } }],
    result: (box) => ["/answer", { answer: { result: box.querySelector("textarea").value } }],
    resume: () => ["/continue", {}],
    release: () => ["/release", {}],
    discard: () => ["/discard", {}],
    finish: () => ["/finish", {}],
    cancel: () => ["/cancel", {}],
  };

  addEventListener("click", async (event) => {
    const summary = event.target.closest?.("summary");
    if (summary) touched.add(summary.parentElement);
    const button = event.target.closest?.("[data-do]");
    if (!button || !Object.hasOwn(acts, button.dataset.do)) return;
    if (button.dataset.sure && !confirm(button.dataset.sure)) return;
    const box = button.closest(".ask");
    const { checkpoint, call, session } = box.dataset;
    const [path, more] = acts[button.dataset.do](box);
    const buttons = [...box.querySelectorAll("button")];
    buttons.forEach((it) => { it.disabled = true; });
    const why = await send(path, { ...(checkpoint && { checkpoint }), ...(call && { call }), ...(session && { session }), ...more });
    buttons.forEach((it) => { it.disabled = false; });
    const said = box.querySelector(".said-why");
    if (said) said.textContent = why ?? "";
  });

  // The list is filtered by the server, which has more sessions than the page.
  const find = document.getElementById("find");
  let typing = 0;
  find?.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      const address = new URL(location.href);
      address.searchParams.set("q", find.value);
      location.replace(address);
    }, 400);
  });
  if (find?.value) { find.focus(); find.setSelectionRange(find.value.length, find.value.length); }
  addEventListener("keydown", (event) => {
    if (event.key === "/" && find && event.target !== find) { event.preventDefault(); find.focus(); }
  });
})();
