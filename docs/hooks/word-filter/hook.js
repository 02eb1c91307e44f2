import { config, content, defineHook, log, proceed, reject, strings } from "portcullis";

const settings = config({ blocked: strings() });

export default defineHook({
  id: "word-filter",
  description: "Refuses turns that contain a blocked word.",
  priority: 10,
  config: settings,
  preTurn() {
    const { blocked } = settings();
    const text = content.text();
    const word = blocked.find((word) => text.includes(word));
    if (word === undefined) return proceed();
    log.info("blocked a turn", { word });
    return reject("blocked-word", "The message was blocked.");
  },
});
