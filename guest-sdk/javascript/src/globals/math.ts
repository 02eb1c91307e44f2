/** `Math.random` for a hook that reaches it in a form that the build does not replace, such as `const { random } = Math`. */

import { current } from "../calls.ts";

const { Math } = globalThis;
const { random } = Math;

Math.random = () => {
  // The runtime's numbers are the same in each instance.
  if (current !== 0) throw new Error("write `Math.random()`: what is taken from `Math` otherwise has no random numbers in a call");
  return random();
};
