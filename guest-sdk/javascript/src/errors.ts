/** The operator's configuration of this hook is wrong; the message names the key and says why. */
export class BadConfig extends Error {
  override name = "BadConfig";
}
