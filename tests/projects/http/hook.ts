import { content, defineHook, reject } from "portcullis";

/** More than a connection holds while its server reads nothing. */
const LARGE = 6 << 20;

async function act(action: string, url: string, ms: string): Promise<string> {
  switch (action) {
    case "get":
    case "post": {
      const body = action === "post" ? "zwölf" : null;
      const response = await fetch(url, { method: action, headers: { "X-Asked": "asked" }, body });
      return `${response.status} ${response.headers.get("x-answer") ?? "-"} ${await response.text()}`;
    }
    case "large": {
      const sent = await (await fetch(url)).text();
      const received = await (await fetch(url, { method: "POST", body: sent })).text();
      return `${sent.length} ${sent === received}`;
    }
    case "abandoned":
      fetch(url).catch(() => {});
      setTimeout(() => {
        throw new Error("a timer has run");
      }, 0);
      return "at once";
    case "abandoned-within":
      fetch(url, { signal: AbortSignal.timeout(Number(ms)) }).catch(() => {});
      return "at once";
    case "blocked":
      return `${(await fetch(url, { method: "POST", body: new Uint8Array(LARGE), signal: AbortSignal.timeout(Number(ms)) })).status}`;
    case "both-large": {
      const send = async () => await (await fetch(url, { method: "POST", body: new Uint8Array(LARGE) })).text();
      return (await Promise.all([send(), send()])).join(" ");
    }
    case "methods":
      for (let at = 0; at < Number(ms); at++) await fetch(url, { method: "a b" }).catch(() => {});
      return "all refused";
    case "within":
      return `${(await fetch(url, { signal: AbortSignal.timeout(Number(ms)) })).status}`;
    case "both": {
      const responses = await Promise.all([fetch(url), fetch(url)]);
      return (await Promise.all(responses.map((response) => response.text()))).join(" ");
    }
    case "form": {
      const to = new URL(url);
      to.searchParams.set("q", "1 2");
      const response = await fetch(to, { method: "POST", body: new URLSearchParams({ a: "ü" }), headers: { "X-Asked": "form" } });
      return response.text();
    }
    case "header":
      return `${(await fetch(url, { headers: { [`Authorization: ${ms}`]: "x" } })).status}`;
    case "listeners": {
      let listeners = 0;
      const signal: AbortSignal = {
        aborted: false,
        reason: undefined,
        throwIfAborted: () => {},
        addEventListener: () => void listeners++,
        removeEventListener: () => void listeners--,
      };
      const response = await fetch(url, { signal });
      return `${response.status} ${listeners}`;
    }
    default:
      throw new RangeError(action);
  }
}

export default defineHook({
  id: "my-hook",
  description: "Sends requests.",

  async preTurn() {
    const [action = "", url = "", ms = ""] = content.text().split(" ");
    if (action === "unhandled") {
      fetch(url);
      return;
    }
    return reject(
      "said",
      await act(action, url, ms).catch((error: Error) => `${error.name}: ${error.message}`),
    );
  },
});
