//! Asking all who may speak against a call: the policy, then the hooks.

use std::sync::Arc;

use portcullis::contract::ToolCall;
use portcullis::points::PreToolCall;
use portcullis::points::pre_tool_call::{ExecutionGrant as GrantRecord, ToolRequest};
use portcullis::{Asked, Decision, Pending, PersonSays, ToolCatalog};

use super::{Admitted, Executed, OpenQuestion, Todo, WaitingCall, Wants};
use crate::policy::{Denial, ExecutionGrant, PolicyRequest};
use crate::session::points::Decided;
use crate::session::refusal;
use crate::session::running::{Running, count};
use crate::tool::ToolOutput;

/// What the policy granted, and when.
enum Granted {
    /// Now.
    Now(ExecutionGrant),
    /// Before the turn was suspended.
    Before(ExecutionGrant),
}

impl Running {
    /// Asks all who may speak against a call. An `Err` is what the model is told instead.
    pub(super) async fn admit(
        &self,
        mut call: ToolCall,
        offered: &Arc<ToolCatalog>,
    ) -> Result<Admitted, Executed> {
        if call.arguments.trim().is_empty() {
            // Some models leave the arguments of a tool that takes none empty.
            call.arguments = "{}".into();
        }
        if offered.get(&call.name).is_none() {
            let told = refusal::senseless(&format!("no tool called `{}` was offered", call.name));
            return Err(Executed::told(call, told));
        }
        if let Err(invalid) = self.check_arguments(offered, &call.name, &call.arguments) {
            let told = refusal::senseless(&invalid.to_string());
            return Err(Executed::told(call, told));
        }
        let grant = match self.grant(&call.name, &call.arguments).await {
            Ok(grant) => grant,
            Err(denial) => return Err(Executed::told(call, refusal::denied(&denial))),
        };
        if self.shared.subagents.contains_key(&call.name) {
            return self.admit_subagent(call, grant).await;
        }
        let arguments: Arc<str> = call.arguments.as_str().into();
        if !self.hooks.serves::<PreToolCall>() {
            return Ok(self.passed(call, arguments, grant));
        }
        let decided = self
            .ask_before(&call, arguments, record(&grant), offered)
            .await;
        self.decided(call, decided, Granted::Now(grant)).await
    }

    /// Goes on with a call that a person has now decided on. The policy is asked again: it may say
    /// something else than when the call was left.
    pub(in crate::session) async fn admit_decided(
        &self,
        waiting: WaitingCall,
        questions: Vec<OpenQuestion>,
        says: PersonSays,
        offered: &Arc<ToolCatalog>,
    ) -> Result<Admitted, Executed> {
        let WaitingCall {
            call,
            arguments,
            grant,
            ..
        } = waiting;
        let mut asked = questions.into_iter().map(|question| Asked {
            by: question.hook.as_str().into(),
            ask: question.request,
        });
        let Some(first) = asked.next() else {
            let told = refusal::senseless("it was left for a question, and there is none");
            return Err(Executed::told(call, told));
        };
        let pending = Pending {
            first,
            rest: asked.collect(),
        };
        let mut views = self.views.clone();
        views.tool_arguments = arguments.as_str().into();
        views.conversation = self.conversation.clone();
        views.tools = offered.clone();
        let request = self.request(&call, &arguments, record(&grant));
        let mut answered = portcullis::Call::<PreToolCall>::new(self.context(), request, views);
        let verdict = self.hooks.answer(&mut answered, pending, says).await;
        let decided = self.decided_as(answered, verdict);
        self.decided(call, decided, Granted::Before(grant)).await
    }

    /// A call that the hooks let pass.
    fn passed(&self, call: ToolCall, arguments: Arc<str>, grant: ExecutionGrant) -> Admitted {
        let answerer = self.prompt.answerer(&call.name).cloned();
        let todo = match (answerer, self.shared.client_tools.contains(&call.name)) {
            (Some(by), _) => Todo::Unanswered(by),
            (None, true) => Todo::Wait(grant, Wants::Result),
            (None, false) => Todo::Run(grant),
        };
        Admitted {
            call,
            arguments,
            todo,
        }
    }

    /// What the hooks are told of a call: the tool that runs, whatever the model calls it.
    fn request(&self, call: &ToolCall, arguments: &str, grant: GrantRecord) -> ToolRequest {
        ToolRequest {
            call_id: call.id.clone(),
            name: self.prompt.target(&call.name).to_owned(),
            arguments_bytes: count(arguments.len()),
            grant,
        }
    }

    /// Asks the policy.
    pub(in crate::session) async fn grant(
        &self,
        tool: &str,
        arguments: &str,
    ) -> Result<ExecutionGrant, Denial> {
        let context = self.context();
        let request = PolicyRequest {
            context: &context,
            tool: self.prompt.target(tool),
            arguments,
        };
        let granted = self.shared.context.policy.check(request).await;
        granted.map(|grant| self.in_workspace(grant))
    }

    /// Asks the `pre-tool-call` hooks that decide.
    async fn ask_before(
        &self,
        call: &ToolCall,
        arguments: Arc<str>,
        grant: GrantRecord,
        offered: &Arc<ToolCatalog>,
    ) -> Decided<PreToolCall> {
        let request = self.request(call, &arguments, grant);
        self.decide::<PreToolCall>(request, |views| {
            views.tool_arguments = arguments;
            views.conversation = self.conversation.clone();
            views.tools = offered.clone();
        })
        .await
    }

    /// Where nothing can wait, a decision that comes later is a no.
    async fn deny_pending(&self, decided: &mut Decided<PreToolCall>) {
        let Decision::Pending(pending) = &decided.verdict.decision else {
            return;
        };
        let no = PersonSays::No("it would be decided later, and nothing can wait here".into());
        let answered = self.hooks.answer(&mut decided.call, pending.clone(), no);
        decided.verdict.decision = answered.await.decision;
    }

    /// What the hooks' decision means. Those who look on are told, unless a person is to decide.
    async fn decided(
        &self,
        call: ToolCall,
        mut decided: Decided<PreToolCall>,
        grant: Granted,
    ) -> Result<Admitted, Executed> {
        if self.checkpoints.is_none() {
            self.deny_pending(&mut decided).await;
        }
        if let Decision::Pending(pending) = decided.verdict.decision {
            let arguments = decided.call.views.tool_arguments.clone();
            let (Granted::Now(grant) | Granted::Before(grant)) = grant;
            let questions = std::iter::once(pending.first).chain(pending.rest);
            let questions = questions.map(|asked| OpenQuestion {
                hook: asked.by.to_string(),
                request: asked.ask,
            });
            let todo = Todo::Wait(grant, Wants::Decision(questions.collect()));
            return Ok(Admitted {
                call,
                arguments,
                todo,
            });
        }
        self.tell(&mut decided).await;
        let arguments = decided.call.views.tool_arguments.clone();
        match (decided.verdict.decision, grant) {
            (Decision::Passed, Granted::Now(grant)) if *arguments == *call.arguments => {
                Ok(self.passed(call, arguments, grant))
            }
            // Schemas and policy hold for what is run, not only for what the model asked for.
            (Decision::Passed, _) => {
                let offered = &decided.call.views.tools;
                if let Err(invalid) = self.check_arguments(offered, &call.name, &arguments) {
                    let told = refusal::senseless(&invalid.to_string());
                    return Err(Executed::told(call, told));
                }
                match self.grant(&call.name, &arguments).await {
                    Ok(grant) => Ok(self.passed(call, arguments, grant)),
                    Err(denial) => Err(Executed::told(call, refusal::denied(&denial))),
                }
            }
            (Decision::Answered { answer, .. }, _) => Ok(Admitted {
                call,
                arguments,
                todo: Todo::Given(ToolOutput {
                    content: answer.content,
                    is_error: answer.is_error,
                }),
            }),
            (Decision::Rejected { by, rejection }, _) => {
                Err(Executed::told(call, refusal::refused(&by, &rejection)))
            }
            (Decision::Failed(failed), _) => Err(Executed::told(call, refusal::blocked(&failed))),
            (Decision::Stopped { stop, .. }, _) => match stop {},
            // Taken above.
            (Decision::Pending(_), _) => Err(Executed::told(
                call,
                refusal::senseless("a person has not decided"),
            )),
        }
    }
}

fn record(grant: &ExecutionGrant) -> GrantRecord {
    GrantRecord {
        working_dir: grant
            .working_dir
            .as_ref()
            .map(|dir| dir.display().to_string()),
        timeout_ms: u32::try_from(grant.timeout.as_millis()).unwrap_or(u32::MAX),
    }
}
