import { content, defineHook, reject } from "portcullis";

const encoder = new TextEncoder();
const base = new URL("https://example.com/a/b");
const early = atob("ZWFybHk=");

const thrown = (run: () => unknown): string => {
  try {
    return `no error: ${String(run())}`;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
};

const done: Record<string, () => unknown> = {
  url() {
    const url = new URL("../c d?q=1#top", base);
    url.port = "8080";
    url.searchParams.append("q", "ä&b");
    const ip = new URL("http://0x7f.1/");
    const wide = new URL("https://ＥＶＩＬ.example./%2e%2e/x");
    return [url.href, ip.hostname, wide.hostname, wide.pathname, new URL("https://bücher.example").host, JSON.stringify({ base })];
  },
  "not a url": () => [thrown(() => new URL("/a")), URL.canParse("a:b"), URL.canParse("http://[1]"), URL.parse("http://a b") === null],
  parameters() {
    const all = new URLSearchParams({ a: "1 2", b: "ü" });
    all.append("a", "3");
    const pairs = new URLSearchParams([["x", "1"]]);
    const read = new URLSearchParams("?x=%C3%A4+b&x=2");
    return [all.toString(), all.getAll("a").join(), all.size, [...pairs].join(), read.get("x"), read.has("x", "2"), [...read.keys()].join()];
  },
  text() {
    const into = new Uint8Array(4);
    const { read, written } = encoder.encodeInto("aä€", into);
    const decoder = new TextDecoder();
    const streamed = decoder.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + decoder.decode(new Uint8Array([0xac]));
    const fatal = thrown(() => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff])));
    return [
      encoder.encode("ä\ud800").join(),
      `${read} ${written}`,
      streamed,
      new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff])),
      fatal,
      new TextDecoder("utf-16le").decode(new Uint8Array([0xac, 0x20])),
      new TextDecoder("latin1").decode(new Uint8Array([0xe4])),
      thrown(() => new TextDecoder("no-such-encoding")),
    ];
  },
  base64: () => [early, btoa("\xff\0a"), atob("/wBh").length, thrown(() => btoa("€")), thrown(() => atob("a"))],
  clone() {
    const whole: Record<string, unknown> = {
      date: new Date(5),
      map: new Map([["a", new Set([1n])]]),
      bytes: new Uint8Array([1, 2]),
      nothing: undefined,
      error: new RangeError("far"),
      pattern: /a/gi,
    };
    whole.whole = whole;
    const copy = structuredClone(whole);
    (copy.map as Map<string, unknown>).clear();
    return [
      copy !== whole && copy.whole === copy,
      (copy.date as Date).getTime(),
      (whole.map as Map<string, unknown>).size,
      copy.bytes,
      "nothing" in copy,
      copy.error instanceof RangeError && copy.error.message,
      String(copy.pattern),
      thrown(() => structuredClone({ run() {} })),
    ];
  },
  signals() {
    const [first, second] = [new AbortController(), new AbortController()];
    const any = AbortSignal.any([first.signal, second.signal]);
    const before = any.aborted;
    second.abort(new RangeError("enough"));
    return [before, any.aborted, thrown(() => any.throwIfAborted()), AbortSignal.any([any]).aborted];
  },
  random() {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    return [uuid.test(one), one !== other, crypto.getRandomValues(new Uint32Array(4)).some((number) => number > 0)];
  },
  clock() {
    const before = performance.now();
    return [performance.now() >= before, Date.now() > 1e12];
  },
};

export default defineHook({
  id: "my-hook",
  description: "Does what people do on the web.",

  preTurn: () => reject("done", JSON.stringify(done[content.text()]?.())),
});
