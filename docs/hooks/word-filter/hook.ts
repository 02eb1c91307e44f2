import { configOf, content, defineHook, log, proceed, reject } from "portcullis";

interface Settings {
  /** The words that no message may contain. */
  blocked: string[];
}

const settings = configOf<Settings>();

export default defineHook({
  id: "word-filter",
  description: "Refuses turns that contain a blocked word.",
  priority: 10,
  config: settings,
  preTurn(_context, call) {
    if (call.textBytes === 0) return proceed();
    const { blocked } = settings();
    const text = content.text();
    const word = blocked.find((word) => text.includes(word));
    if (word === undefined) return proceed();
    log.info("blocked a turn", { word });
    return reject("blocked-word", "The message was blocked.");
  },
});
