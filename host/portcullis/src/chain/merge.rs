//! The rules by which a hook's answer changes a call and its verdict. Independent of wasm.

use crate::contract::json::to_json;
use crate::contract::text::sanitize_for_terminal;
use crate::contract::{ContributionKind, FailurePolicy, HookRole};
use crate::model::call::Call;
use crate::model::effects::Effects;
use crate::model::failure::Failure;
use crate::model::hook::{Answer, Mode, Profile, Said};
use crate::model::points::{Action, AskPerson, FailureRule, OutcomeKind, Point, Refusal, Signal};
use crate::model::prompt::{self, Contributed, Contribution, SideOutput};
use crate::model::secrets::{AllSecrets, Secrets};
use crate::model::state_edits::StateEdits;
use crate::model::verdict::{
    Change, ContributedRecord, Decision, Digest, HookFailed, HookRun, RunStatus, STATE_EDIT,
};
use crate::model::would::{Effect, Would};

/// The effect of an answer on the rest of the chain.
pub(crate) enum Flow<P: Point> {
    /// The next hook is called.
    Next,
    /// The next hook is called; a person must agree at the end.
    NextThenAsk(P::Ask),
    /// The next hook is called; the value may not be changed any more.
    Replaced,
    /// The next hook is called, although without audit mode the chain would have ended here.
    WouldEnd,
    /// The chain ends.
    End(Decision<P>),
}

/// Whether hooks may still change the value of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    /// Hooks may change the value.
    Open,
    /// A hook has replaced the value: every later hook runs as a gate.
    Replaced,
}

/// The rules for merging a hook's answers.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) value: Value,
    /// The secrets that are redacted in kept values; `None` keeps no values.
    pub(crate) kept: Option<&'a AllSecrets>,
}

/// Merges one hook's answer into the call, and completes the record of its run. Takes the action
/// out of `answer`. The caller writes the run's duration, this merge included, into the record.
#[inline]
pub(crate) fn merge<P: Point>(
    call: &mut Call<P>,
    rules: Rules<'_>,
    answer: &mut Answer<P>,
    run: &mut HookRun,
    side_outputs: &mut Vec<Contributed<SideOutput>>,
) -> Flow<P> {
    costs(run, answer);
    // Most answers need no checks.
    if let (Said::Continue, None) = (&answer.said, &answer.effects) {
        run.continued();
        return Flow::Next;
    }
    let (flow, effects) = merge_checked(call, rules, answer, run, side_outputs);
    if let Some(effects) = effects {
        effects.commit(&call.context);
    }
    flow
}

/// Records the cost of an answer.
#[inline]
fn costs<P: Point>(run: &mut HookRun, answer: &mut Answer<P>) {
    (run.fuel, run.memory) = (answer.fuel, answer.memory);
    run.restarted = answer.restarted;
    if let Some(seen) = &mut answer.seen {
        run.reached = seen.reached.take();
    }
}

/// Merges an answer that counts once the store of hooks' state has the call's writes.
pub(crate) async fn merge_stored<P: Point>(
    call: &mut Call<P>,
    rules: Rules<'_>,
    answer: &mut Answer<P>,
    run: &mut HookRun,
    side_outputs: &mut Vec<Contributed<SideOutput>>,
) -> Flow<P> {
    costs(run, answer);
    // The store's writes must not be undone, so the answer is checked first, on a copy.
    let mut merged = call.clone();
    let outputs = side_outputs.len();
    let (flow, effects) = merge_checked(&mut merged, rules, answer, run, side_outputs);
    if let Some(effects) = effects {
        match effects.write().await {
            Ok(effects) => effects.commit(&call.context),
            Err(error) => {
                side_outputs.truncate(outputs);
                (run.change, run.would, run.question) = (None, None, None);
                run.contributed = Vec::new();
                return failed(rules.profile, error.into(), run);
            }
        }
    }
    *call = merged;
    flow
}

/// Checks an answer and merges it. Returns the call's writes, to be committed.
fn merge_checked<P: Point>(
    call: &mut Call<P>,
    rules: Rules<'_>,
    answer: &mut Answer<P>,
    run: &mut HookRun,
    side_outputs: &mut Vec<Contributed<SideOutput>>,
) -> (Flow<P>, Option<Box<Effects>>) {
    let Rules {
        profile,
        value,
        kept,
    } = rules;
    let mut effects = answer.effects.take();
    let edits = effects
        .as_mut()
        .filter(|effects| !effects.edits.is_empty())
        .map(|effects| std::mem::take(&mut effects.edits));
    let ready = effects.as_ref().map_or(Ok(()), |effects| effects.check());
    let taken = ready
        .map_err(Failure::from)
        .and_then(|()| answer.take_action())
        .map(|step| redacted(&profile.secrets, step))
        .and_then(|step| allowed(profile.role, step));
    let taken = taken.and_then(|step| match edits {
        None => Ok((step, None)),
        Some(edits) => may_edit(profile.role).map(|()| (step, Some(edits))),
    });
    let flow = taken.and_then(|(step, edits)| {
        run.status = completed(&step);
        let flow = match (profile.mode, step) {
            (Mode::Enforce, step)
                if value == Value::Replaced && !role_allows(HookRole::Gate, step.kind()) =>
            {
                run.status = RunStatus::NotApplied {
                    outcome: step.kind(),
                };
                // Dropping the effects undoes them: their answer is not applied.
                effects = None;
                Ok(Flow::Next)
            }
            (Mode::Audit, step) => audit(call, rules, step, run),
            (Mode::Enforce, Action::Contribute(list)) => {
                let contributions = granted(profile, list)?;
                let records = records(&contributions, kept);
                let taken = prompt::take(call, &profile.id, contributions, profile.policies)
                    .map_err(|e| Failure::BadOutput(sanitize_for_terminal(&e.0)))?;
                side_outputs.extend(taken);
                run.contributed = records;
                Ok(Flow::Next)
            }
            (Mode::Enforce, step) => take(call, profile, step, run, kept),
        }?;
        if let (Some(edits), Some(_)) = (edits, &effects) {
            run.contributed.extend(edit_records(&edits));
            if profile.mode == Mode::Enforce {
                let by = profile.id.clone();
                let value = SideOutput::StateEdits(edits);
                side_outputs.push(Contributed { by, value });
            }
        }
        Ok(flow)
    });
    match flow {
        Ok(flow) => (flow, effects),
        // Dropping the effects undoes them.
        Err(failure) => {
            let flow = failed(profile, profile.secrets.redact_failure(failure), run);
            (flow, None)
        }
    }
}

/// Redacts secrets in an answer's texts for people, models and the journal. The new value of a
/// change keeps its secrets: a hook may have the task to put a key into a tool's arguments.
fn redacted<P: Point>(secrets: &Secrets, mut step: Action<P>) -> Action<P> {
    match &mut step {
        Action::Reject(rejection) => secrets.redact_rejection(rejection.rejection_mut()),
        Action::Ask(ask) => secrets.redact_question(ask.request_mut()),
        Action::Stop(stop) => secrets.redact_stop(stop.signal_mut()),
        _ => {}
    }
    step
}

#[inline]
fn completed<P: Point>(step: &Action<P>) -> RunStatus {
    RunStatus::Completed {
        outcome: step.kind(),
        rejection: match step {
            Action::Reject(rejection) => Some(Box::new(rejection.rejection().clone())),
            _ => None,
        },
    }
}

/// Checks that the hook's role allows the answer.
fn allowed<P: Point>(role: HookRole, step: Action<P>) -> Result<Action<P>, Failure> {
    if role_allows(role, step.kind()) {
        return Ok(step);
    }
    let (role, may) = match role {
        HookRole::Gate => ("gate", "continue, reject, ask, stop or contribute"),
        _ => ("observe", "continue or contribute"),
    };
    Err(Failure::BadOutput(format!(
        "`{}` from a hook of role `{role}`, which may {may}",
        step.kind()
    )))
}

/// Returns whether a hook of this role may give this kind of answer.
fn role_allows(role: HookRole, kind: OutcomeKind) -> bool {
    use OutcomeKind::{Ask, Continue, Contribute, Reject, Stop};
    match role {
        HookRole::Transform => true,
        HookRole::Gate => matches!(kind, Continue | Reject | Ask | Stop | Contribute),
        HookRole::Observe => matches!(kind, Continue | Contribute),
    }
}

/// Checks that the hook declared its contributions and was granted them, and that its role allows
/// them. A hook that changes nothing may still add notes and jobs.
fn granted<C: Into<Contribution>>(
    profile: &Profile,
    list: Vec<C>,
) -> Result<Vec<Contribution>, Failure> {
    let contributions: Vec<Contribution> = list.into_iter().map(Into::into).collect();
    let given = contributions.iter().map(Contribution::count).sum();
    if given > profile.most_contributions {
        return Err(Failure::Contributions {
            given,
            most: profile.most_contributions,
        });
    }
    for contribution in &contributions {
        let kind = contribution.kind();
        let name = prompt::kind_name(kind);
        if !profile.contributes.contains(&kind) {
            return Err(Failure::BadOutput(format!(
                "it contributes `{name}`, which it does not declare in `contributes`"
            )));
        }
        let aside = matches!(kind, ContributionKind::Note | ContributionKind::Job);
        if profile.role != HookRole::Transform && !aside {
            return Err(Failure::BadOutput(format!(
                "it contributes `{name}`, which takes the role `transform`"
            )));
        }
    }
    Ok(contributions)
}

/// Checks that a role may change the agent's state. Others see the changes, so only `transform`
/// may.
fn may_edit(role: HookRole) -> Result<(), Failure> {
    match role {
        HookRole::Transform => Ok(()),
        HookRole::Gate | HookRole::Observe => Err(Failure::BadOutput(
            "it changes the agent's state, which takes the role `transform`".to_owned(),
        )),
    }
}

fn edit_records(edits: &StateEdits) -> impl Iterator<Item = ContributedRecord> {
    edits.iter().map(|edit| ContributedRecord {
        kind: STATE_EDIT,
        digest: Digest::of(&serde_json::to_vec(&edit).unwrap_or_default()),
        value: None,
    })
}

fn records(contributions: &[Contribution], kept: Option<&AllSecrets>) -> Vec<ContributedRecord> {
    let secrets = kept.map(AllSecrets::get);
    let value = |contribution: &Contribution| {
        let (secrets, json) = (secrets.as_deref()?, to_json(contribution).ok()?);
        Some(secrets.redact_json_text(json.to_string()).into())
    };
    contributions
        .iter()
        .map(|contribution| ContributedRecord {
            kind: prompt::kind_name(contribution.kind()),
            digest: prompt::digest(contribution),
            value: value(contribution),
        })
        .collect()
}

fn take<P: Point>(
    call: &mut Call<P>,
    profile: &Profile,
    step: Action<P>,
    run: &mut HookRun,
    kept: Option<&AllSecrets>,
) -> Result<Flow<P>, Failure> {
    let by = || profile.id.clone();
    match step {
        Action::Continue | Action::Contribute(_) => Ok(Flow::Next),
        Action::Transform(value) => {
            run.change = Some(change(call, value, kept)?);
            Ok(Flow::Next)
        }
        Action::Replace(value) => {
            run.change = Some(change(call, value, kept)?);
            Ok(Flow::Replaced)
        }
        Action::Reject(rejection) => Ok(Flow::End(Decision::Rejected {
            by: by(),
            rejection,
        })),
        Action::Answer(answer) => Ok(Flow::End(Decision::Answered { by: by(), answer })),
        Action::Stop(stop) => Ok(Flow::End(Decision::Stopped { by: by(), stop })),
        Action::Ask(ask) => {
            run.question = Some(ask.request().question.as_str().into());
            Ok(Flow::NextThenAsk(ask))
        }
    }
}

/// Records the effect that an answer in audit mode would have had. A change is tried on a copy of
/// the call.
fn audit<P: Point>(
    call: &Call<P>,
    rules: Rules<'_>,
    step: Action<P>,
    run: &mut HookRun,
) -> Result<Flow<P>, Failure> {
    let Rules {
        profile,
        value: open,
        kept,
    } = rules;
    if open == Value::Replaced && !role_allows(HookRole::Gate, step.kind()) {
        // The answer would not have been applied.
        return Ok(Flow::Next);
    }
    let said = |effect, message: &str| Would {
        message: (!message.is_empty()).then(|| message.into()),
        ..Would::of(effect)
    };
    let would = match step {
        Action::Continue => return Ok(Flow::Next),
        Action::Contribute(list) => {
            let contributions = granted(profile, list)?;
            run.contributed = records(&contributions, kept);
            return Ok(Flow::Next);
        }
        Action::Transform(value) | Action::Replace(value) => Would {
            change: Some(change(&mut call.clone(), value, kept)?),
            ..Would::of(Effect::Changed)
        },
        Action::Answer(answer) => Would {
            answer: kept.map(|secrets| {
                let text = serde_json::to_string(&answer).unwrap_or_default();
                secrets.get().redact_json_text(text).into()
            }),
            ..Would::of(Effect::Answered)
        },
        // The code and the reason are in the status.
        Action::Reject(_) => Would::of(Effect::Refused),
        Action::Stop(stop) => said(Effect::Stopped, &stop.signal().message),
        Action::Ask(ask) => said(Effect::Asked, &ask.request().question),
    };
    Ok(would_follow(would, run))
}

/// Records the effect that an answer in audit mode would have had. Returns whether the chain would
/// have ended.
fn would_follow<P: Point>(would: Would, run: &mut HookRun) -> Flow<P> {
    let ends = would.effect.ends_the_chain();
    run.would = Some(Box::new(would));
    match ends {
        true => Flow::WouldEnd,
        false => Flow::Next,
    }
}

/// Replaces a value and returns the change. Secrets are redacted in values that are kept.
pub(crate) fn change<P: Point>(
    call: &mut Call<P>,
    value: P::Value,
    kept: Option<&AllSecrets>,
) -> Result<Box<Change>, Failure> {
    let secrets = kept.map(AllSecrets::get);
    let text = |call: &Call<P>| {
        let secrets = secrets.as_deref()?;
        Some(secrets.redact_json_text(P::payload(call).to_json_text()))
    };
    let (before, before_text) = (Digest::of_payload(&P::payload(call)), text(call));
    P::apply(call, value).map_err(|e| Failure::BadOutput(sanitize_for_terminal(&e.0)))?;
    Ok(Box::new(Change {
        before,
        after: Digest::of_payload(&P::payload(call)),
        values: before_text.zip(text(call)),
    }))
}

/// Decides whether a failure becomes a verdict. No other code does.
fn failed<P: Point>(profile: &Profile, failure: Failure, run: &mut HookRun) -> Flow<P> {
    let closed =
        profile.failure == FailurePolicy::FailClosed && P::INFO.failure != FailureRule::NeverFatal;
    let fatal = closed && profile.mode == Mode::Enforce;
    tracing::warn!(
        hook = %profile.id,
        point = %P::ID,
        cause = %failure.cause(),
        fatal,
        "a hook did not do its work: {failure}"
    );
    run.status = RunStatus::Failed {
        cause: failure.cause(),
        message: failure.to_string().into(),
        fatal,
    };
    match (closed, profile.mode) {
        (true, Mode::Enforce) => Flow::End(Decision::Failed(HookFailed {
            hook: profile.id.clone(),
            point: P::ID,
            failure,
        })),
        (true, Mode::Audit) => would_follow(Would::of(Effect::Failed), run),
        (false, _) => Flow::Next,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract::ContextItem;

    #[test]
    fn what_is_kept_of_a_contribution_has_no_secret_of_any_hook() {
        let secrets = AllSecrets::default();
        for (name, value) in [("KEY", "s3cr3t-key"), ("OF_ANOTHER", "pa\"ss")] {
            let granted = Secrets::of([(name.to_owned(), value.to_owned())].into());
            secrets.add(&Arc::new(granted));
        }
        let item = Contribution::Context(ContextItem {
            kind: "fact".into(),
            text: "it is s3cr3t-key".into(),
            data: Some(r#"{"k":"pa\"ss"}"#.into()),
        });
        let kept = |kept| {
            let record = records(std::slice::from_ref(&item), kept).remove(0);
            record.value
        };
        assert_eq!(kept(None), None);
        let kept = kept(Some(&secrets)).unwrap();
        let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
        let fields = &kept["context"];
        assert_eq!(fields["text"], "it is [secret KEY]");
        assert_eq!(fields["data"], r#"{"k":"[secret OF_ANOTHER]"}"#);
    }
}
