export { textOf, type Content } from "./content.js";
export type * from "./contract.js";
export {
  LoadError,
  NoQuestionError,
  PortcullisError,
  refusal,
  Refused,
  RequestError,
  SessionError,
  StoreError,
} from "./errors.js";
export { Hooks, type LoadOptions } from "./hooks.js";
export { NO_USAGE, Session, type SessionOptions } from "./session.js";
export type { Job, LogLine, Reload, ReportOptions } from "./report.js";
export { Verdict, type Question, type Run, type SideOutput } from "./verdict.js";
export type { SessionView, Views } from "./views.js";
