import type { Session } from "./session.js";
import type { Question, Verdict } from "./verdict.js";

/** Approves, denies, denies with a reason, or approves another value. */
export type Decision = boolean | string | { edit: string };

/** Asks a person a hook's question. */
export type Approver = (question: Question) => Decision | Promise<Decision>;

/** Returns the hooks' decision, after all questions. Without an approver the verdict may be `pending`. */
export async function decide<T>(
  session: Session,
  call: Promise<Verdict<T>>,
  approver: Approver | undefined,
): Promise<Verdict<T>> {
  let verdict = await call;
  for (let question = verdict.questions[0]; question && approver; question = verdict.questions[0]) {
    const decision = await approver(question);
    if (decision === true) verdict = await session.approve(verdict);
    else if (decision === false) verdict = await session.deny(verdict, "The person refused.");
    else if (typeof decision === "string") verdict = await session.deny(verdict, decision);
    else verdict = await session.edit(verdict, decision.edit);
  }
  return verdict;
}
