// Where the SDK is.

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const SDK = dirname(dirname(fileURLToPath(import.meta.url)));
