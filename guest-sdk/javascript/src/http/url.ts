/** The parts of a URL that a request is made of. */

/** What a path may not have as it is. */
const ENCODED = /[^\x21-\x7e]|["<>`{}]/gu;

const HTTP_URL = /^(https?):\/\/([^/?#]*)([^#]*)/i;

export interface Parts {
  scheme: "HTTP" | "HTTPS";
  /** The server, and its port if the URL names it. */
  authority: string;
  path: string;
}

/** Throws a TypeError if it is no URL of HTTP. */
export function parse(url: string): Parts {
  const [, scheme, authority, path = ""] = HTTP_URL.exec(url) ?? [];
  // Without its text, which may be secret.
  if (!scheme || !authority) throw new TypeError("what is requested is no URL that begins with https:// or http:// and a server");
  return {
    scheme: scheme.length > 4 ? "HTTPS" : "HTTP",
    authority,
    path: (path.startsWith("/") ? path : `/${path}`).replace(ENCODED, encodeURIComponent),
  };
}
