import type { ContentPart, Message, ToolSpec } from "./contract.js";

/** Whose session it is. */
export interface SessionView {
  user?: string | null;
  workingDir?: string | null;
  parent?: string | null;
  metadata?: [string, string][];
}

/** The data that hooks may see, if the operator lets them. A view that is left out is empty. */
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
