import { native } from "./native.js";

/** A hook's question to a person. Its texts come from the hook: escape them before they are shown. */
export interface Question {
  by: string;
  question: string;
  details: string | null;
}

/** One hook's run. */
export interface Run {
  hook: string;
  status: "completed" | "failed" | "not-applied" | "skipped" | "backgrounded";
  outcome?: string;
  cause?: string;
  message?: string;
  refused?: boolean;
  audit: boolean;
  changed: boolean;
  latencyUs: number;
  fuel: number | null;
}

/** The decision, as the host writes it. */
type Decision =
  | { kind: "continue" }
  | { kind: "transform"; by: string[] }
  | { kind: "reject"; by: string; rejection: { code: string; reason: string; details: string | null } }
  | { kind: "answer"; by: string; value: unknown }
  | { kind: "stop"; by: string; signal: { kind: string | object; message: string } }
  | { kind: "pending"; id: number; questions: Question[] }
  | { kind: "failed"; by: string; cause: string; message: string };

/** A note, a job or changes of the agent's state, and the hook that it comes from. */
export interface SideOutput {
  by: string;
  value: {
    note?: { code: string; data: string };
    job?: { name: string; input: string };
    stateEdits?: Record<string, unknown>;
  };
}

interface Reply<T> {
  decision: Decision;
  payload: T;
  contributions: { prompt: unknown; sideOutputs: SideOutput[] };
  runs: Run[];
}

/** The hooks' decision about a call. */
export class Verdict<T> {
  readonly #reply: Reply<T>;

  constructor(reply: Reply<T>) {
    this.#reply = reply;
  }

  /** The kind of the decision. */
  get kind(): Decision["kind"] {
    return this.#reply.decision.kind;
  }

  /** Whether the operation proceeds, with the payload. */
  get passed(): boolean {
    return this.kind === "continue" || this.kind === "transform";
  }

  /** The hooks that decided. */
  get by(): string[] {
    const decision = this.#reply.decision;
    if (decision.kind === "continue") return [];
    if (decision.kind === "pending") return decision.questions.map((question) => question.by);
    return decision.kind === "transform" ? decision.by : [decision.by];
  }

  /** The data that hooks may change at the point, as they left it. */
  get payload(): T {
    return this.#reply.payload;
  }

  /** A short, stable code: of the refusal, of the cause of a failure, or of the kind of a stop. */
  get code(): string | undefined {
    const decision = this.#reply.decision;
    if (decision.kind === "reject") return decision.rejection.code;
    if (decision.kind === "failed") return decision.cause;
    if (decision.kind !== "stop") return undefined;
    const kind = decision.signal.kind;
    return typeof kind === "string" ? kind : Object.keys(kind)[0];
  }

  /** The reason why the operation does not proceed. Characters that control a terminal are replaced. */
  get reason(): string | undefined {
    const decision = this.#reply.decision;
    switch (decision.kind) {
      case "reject":
        return native.sanitize(decision.rejection.reason);
      case "failed":
        return native.sanitize(decision.message);
      case "stop":
        return native.sanitize(decision.signal.message);
      case "pending":
        return native.sanitize(decision.questions[0]?.question ?? "");
      default:
        return undefined;
    }
  }

  /** The result that a hook gave in place of the operation, if the kind is `answer`. */
  get answer(): unknown {
    const decision = this.#reply.decision;
    return decision.kind === "answer" ? decision.value : undefined;
  }

  /** The id for answering the question, if the kind is `pending`. */
  get questionId(): number | undefined {
    const decision = this.#reply.decision;
    return decision.kind === "pending" ? decision.id : undefined;
  }

  /** The questions to a person, if the kind is `pending`. */
  get questions(): Question[] {
    const decision = this.#reply.decision;
    return decision.kind === "pending" ? decision.questions : [];
  }

  /** The hooks' contributions. */
  get contributions(): Reply<T>["contributions"] {
    return this.#reply.contributions;
  }

  /** Every hook of the chain, in the order they ran. */
  get runs(): Run[] {
    return this.#reply.runs;
  }
}
