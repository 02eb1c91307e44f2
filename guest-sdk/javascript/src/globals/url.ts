/** `URL` and `URLSearchParams`, by the reference implementation of the standard. */

import * as standard from "portcullis:library/whatwg-url";

/** The object to which the classes add themselves. Each needs the other. */
const realm = { Array, Object, String, TypeError } as unknown as typeof globalThis;

for (const of of [standard.URL, standard.URLSearchParams]) of.install(realm, ["Window"]);

export const { URL, URLSearchParams } = realm;
