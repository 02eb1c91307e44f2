/** A log line of a hook. Characters that control a terminal are replaced. */
export interface LogLine {
  hook: string;
  level: "trace" | "debug" | "info" | "warn" | "error" | "critical";
  message: string;
}

/** A background job that a hook queued. */
export interface Job {
  session: string;
  hook: string;
  /** The handler that the hook asks for. */
  name: string;
  /** Its input: JSON as text. It is the hook's: check it. */
  input: string;
}

/** The result of loading the hooks again. */
export interface Reload {
  /** The hooks that are different from before, new or gone. */
  changed: string[];
  /** The hooks that continue as they were loaded, since their files do not load. */
  kept: string[];
  /** What does not load: file, cause and fix. */
  errors: string[];
}

/** Where hooks report what they do. */
export interface ReportOptions {
  /**
   * Takes log lines, and events of hooks as lines of the level `debug`. They arrive in a later turn of the event loop.
   * Default: lines from `warn` on go to `console.warn`.
   */
  onLog?: (line: LogLine) => void;
  /** Takes background jobs of hooks. It should put them into a queue of the program's own. Default: dropped with a warning. */
  onJob?: (job: Job) => void;
}

const SHOWN = ["warn", "error", "critical"];

/** Hands over what hooks report. */
export class Reporter {
  readonly #options: ReportOptions;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  log({ hook, level, message }: LogLine): void {
    const { onLog } = this.#options;
    if (onLog) onLog({ hook, level, message });
    else if (SHOWN.includes(level)) console.warn(`portcullis: hook ${hook}: ${message}`);
  }

  job({ session, hook, name, input }: Job): void {
    const { onJob } = this.#options;
    if (onJob) return onJob({ session, hook, name, input });
    const message = `the job \`${name}\` is dropped: the hooks were loaded without \`onJob\``;
    this.log({ hook, level: "warn", message });
  }
}
