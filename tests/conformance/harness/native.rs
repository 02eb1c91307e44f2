//! The hook under test in Rust.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use portcullis::contract::ContributionKind;
use portcullis::json::{JsonPoint, from_json, to_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis::verdict::Failure;
use portcullis::{Call, NativeHook};
use serde_json::{Value, json};

use super::actor::Actor;
use super::answer::{Answer, Does};

/// Returns a native hook at every point. `shared` is the state that all hooks share.
pub fn hook(actor: &Actor, shared: &Arc<AtomicI64>) -> NativeHook {
    use ContributionKind::{Context, Job, Note, Policy, Section, Tools};
    let answers: Arc<[Answer]> = actor.answers.clone().into();
    let mut hook =
        NativeHook::new(actor.id).contributes([Policy, Context, Section, Tools, Note, Job]);
    for point in PointId::ALL {
        let (answers, shared) = (answers.clone(), shared.clone());
        hook = point.visit(Serving {
            hook,
            answers,
            shared,
        });
    }
    hook
}

/// Adds one more point to the hook.
struct Serving {
    hook: NativeHook,
    answers: Arc<[Answer]>,
    shared: Arc<AtomicI64>,
}

impl PointVisitor for Serving {
    type Output = NativeHook;

    fn visit<P: JsonPoint>(self) -> NativeHook {
        let (answers, shared) = (self.answers, self.shared);
        self.hook
            .on::<P>(move |call| answer(&answers, &shared, call))
    }
}

fn answer<P: JsonPoint>(
    answers: &[Answer],
    shared: &AtomicI64,
    call: &Call<P>,
) -> Result<P::Outcome, Failure> {
    let input = to_json(P::input(&call.subject)).expect("the contract's JSON form");
    let text = input.to_string();
    let fits = |answer: &&Answer| {
        answer.point == P::ID.name()
            && answer.turn.is_none_or(|turn| turn == call.context.turn)
            && answer.step.is_none_or(|step| step == call.context.step)
            && answer.when.is_none_or(|when| text.contains(when))
            && answer.needle().is_none_or(|needle| text.contains(&needle))
    };
    let outcome = match answers.iter().find(fits).map(|answer| &answer.does) {
        None => json!("continue"),
        Some(Does::Answer(outcome)) => outcome.clone(),
        Some(Does::Fail(why)) => return Err(Failure::Guest((*why).to_owned())),
        Some(Does::Hang) => panic!("a closure is not waited for with a deadline"),
        Some(Does::Add) => {
            let used = |key: &str| input["usage"][key].as_i64().unwrap_or_default();
            let tokens = used("input-tokens") + used("output-tokens");
            shared.fetch_add(tokens, Ordering::Relaxed);
            json!("continue")
        }
        Some(Does::Tell) => told(shared.load(Ordering::Relaxed)),
    };
    Ok(from_json(outcome).expect("an outcome of the point"))
}

fn told(tokens: i64) -> Value {
    super::answer::content("transform", &format!("{tokens} tokens"))
}
