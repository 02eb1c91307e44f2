/** The parts of a URL that a request needs. */

/** The characters that must be encoded in a path. */
const ENCODED = /[^\x21-\x7e]|["<>`{}]/gu;

const HTTP_URL = /^(https?):\/\/([^/?#]*)([^#]*)/i;

export interface Parts {
  scheme: "HTTP" | "HTTPS";
  /** The server, and its port if the URL names it. */
  authority: string;
  path: string;
}

/** Parses a URL. Throws a TypeError if it is not one of HTTP. */
export function parse(url: string): Parts {
  const [, scheme, authority, path = ""] = HTTP_URL.exec(url) ?? [];
  // The message leaves out the URL, which may be secret.
  if (!scheme || !authority) throw new TypeError("what is requested is no URL that begins with https:// or http:// and a server");
  return {
    scheme: scheme.length > 4 ? "HTTPS" : "HTTP",
    authority,
    path: (path.startsWith("/") ? path : `/${path}`).replace(ENCODED, encodeURIComponent),
  };
}
