// Measures a warm verdict from Node.js: `node bench/verdict.mjs HOOKS`, with a hook at `pre-tool-call`.
//
// Prints the best of many rounds, since other programs only make a round slower. The hooks report
// their own time.
import { Hooks } from "portcullis-host";

const ROUNDS = 50;
const CALLS = 200;

const session = Hooks.load(process.argv[2]).open("bench");
const call = () => session.preToolCall("write_file", '{"path":"a"}');
let own = Infinity;
let hooks = 0;
for (let at = 0; at < 1_000; at += 1) {
  const { runs } = await call();
  hooks = runs.length;
  own = Math.min(own, runs.reduce((sum, run) => sum + run.latencyUs, 0));
}
let best = Infinity;
for (let round = 0; round < ROUNDS; round += 1) {
  const begun = performance.now();
  for (let at = 0; at < CALLS; at += 1) await call();
  best = Math.min(best, ((performance.now() - begun) / CALLS) * 1_000);
}
console.log(`hooks            ${own.toFixed(1).padStart(8)} µs, ${hooks} of them, as the host measures them`);
console.log(`await            ${best.toFixed(1).padStart(8)} µs`);
