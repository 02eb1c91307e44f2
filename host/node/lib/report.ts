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
  /** The input: JSON as text. It comes from the hook: check it. */
  input: string;
}

/** The result of loading the hooks again. */
export interface Reload {
  /** The hooks that are changed, new or removed. */
  changed: string[];
  /** The hooks that stay as they are, since their files do not load. */
  kept: string[];
  /** The load errors: file, cause and fix. */
  errors: string[];
}

/** The receivers of the hooks' reports. */
export interface ReportOptions {
  /**
   * Receives log lines, and events of hooks as lines of the level `debug`. They arrive in a later turn of the event
   * loop. Default: lines of the level `warn` or higher go to `console.warn`.
   */
  onLog?: (line: LogLine) => void;
  /** Receives background jobs of hooks, for a queue of the program's own. Default: dropped with a warning. */
  onJob?: (job: Job) => void;
}

const SHOWN = ["warn", "error", "critical"];

/** Passes on the reports of hooks. */
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
