import { fromNative } from "./errors.js";
import { native, WORKER, type NativeHost } from "./native.js";
import { Reporter, type Reload, type ReportOptions } from "./report.js";
import { Session, type SessionOptions } from "./session.js";

/** The options of loading hooks. */
export interface LoadOptions extends ReportOptions {
  /** The store of the hooks' state and the journal: `sqlite:PATH` or `postgres://…`. Default: none. */
  store?: string;
  /** The name of the state that hooks share. Default: the path of the directory. */
  scope?: string;
  /** Whether the store records runs. Default: true. */
  journal?: boolean;
  /** The directory of compiled hooks. Default: the user's cache directory. */
  cache?: string;
  /** Whether components are compiled in child processes, which are killed at a limit. Default: true. */
  compileInChild?: boolean;
  /** The time after which an unused session is closed, in milliseconds. Default: 30 minutes. */
  idleMs?: number;
  /** The time that a closed session waits for its detached runs, in milliseconds. Default: 10 s. */
  drainMs?: number;
  /** The maximum number of open sessions; another one closes the oldest. Default: 1,024. */
  maxSessions?: number;
  /** Whether the hooks are loaded again when the directory changes. Default: false. */
  watch?: boolean;
}

/** The hooks of a directory, loaded once for all sessions. */
export class Hooks {
  readonly #host: NativeHost;
  readonly #reporter: Reporter;

  private constructor(host: NativeHost, reporter: Reporter) {
    this.#host = host;
    this.#reporter = reporter;
  }

  /**
   * Loads the hooks of a directory. Blocks: a component that is new takes from 50 ms to some seconds.
   *
   * @throws LoadError unless every hook loads; StoreError
   */
  static load(path: string, options: LoadOptions = {}): Hooks {
    const { compileInChild = true, onLog, onJob, ...others } = options;
    const worker = compileInChild ? WORKER : undefined;
    const reporter = new Reporter({ onLog, onJob });
    try {
      const host = native.Host.load(path, { ...others, worker }, (report) => {
        if (report.kind === "job") reporter.job(report);
        else reporter.log(report);
      });
      return new Hooks(host, reporter);
    } catch (error) {
      throw fromNative(error);
    }
  }

  /** The ids of the hooks. */
  get ids(): string[] {
    return this.#host.ids;
  }

  /** The number of open sessions. */
  get openSessions(): number {
    return this.#host.openSessions;
  }

  /** Runs `body` in a session, whose hooks run at both ends. A refusal at the start throws `Refused`. */
  async session<T>(
    id: string,
    options: SessionOptions,
    body: (session: Session) => Promise<T> | T,
  ): Promise<T> {
    const session = this.open(id, options);
    await session.begin();
    let failed = true;
    try {
      const result = await body(session);
      failed = false;
      return result;
    } finally {
      await session.end(failed);
    }
  }

  /** Opens a session without running hooks: call its `begin` and `end`. */
  open(id: string, options: SessionOptions = {}): Session {
    return new Session(this.#host, this.#reporter, id, options);
  }

  /**
   * Loads the hooks again if anything in the directory has changed. Sessions use the new hooks from their next call.
   * A hook whose file does not load stays as it is.
   */
  async reload(): Promise<Reload> {
    try {
      return JSON.parse(await this.#host.reload()) as Reload;
    } catch (error) {
      throw fromNative(error);
    }
  }

  /** Closes all sessions and saves unsaved data. Returns the number of background runs that have not ended. */
  async close(withinMs = 5_000): Promise<number> {
    try {
      return JSON.parse(await this.#host.close(withinMs)) as number;
    } catch (error) {
      throw fromNative(error);
    }
  }
}
