import { content, defineHook, reject } from "portcullis";

console.log("loaded");
const BUILT = Date.now();
const YEAR = new Date().getUTCFullYear();
const ORIGIN = performance.now();
const SALT = Math.random();

export default defineHook({
  id: "my-hook",
  description: "Uses what a runtime has while its module is loaded.",

  preTurn() {
    if (content.text() === "then") {
      return reject("done", `${BUILT} ${YEAR} ${performance.now() > ORIGIN} ${SALT > 0 && SALT < 1}`);
    }
    console.log("called");
    return reject("done", `${Date.now()} ${Math.random()}`);
  },
});
