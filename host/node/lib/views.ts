import type { ContentPart, Message, ToolSpec } from "./contract.js";

/** The owner of the session. */
export interface SessionView {
  user?: string | null;
  workingDir?: string | null;
  parent?: string | null;
  metadata?: [string, string][];
}

/** The data that hooks may see, if the operator grants it. A view that is left out is empty. */
export interface Views {
  content?: ContentPart[];
  conversation?: Message[];
  /** The arguments as JSON text and, after the call, the output. */
  toolData?: { input: string; output?: string | null };
  toolCatalog?: ToolSpec[];
  prompt?: Record<string, unknown>;
  /** The agent's state, under its own keys. */
  agentState?: { values: Record<string, unknown>; diff: Record<string, unknown> };
  session?: SessionView;
}
