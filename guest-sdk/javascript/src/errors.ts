/** The error of a wrong configuration of this hook by the operator; the message names the key and says why. */
export class BadConfig extends Error {
  override name = "BadConfig";
}
