//! The hooks of a chain: anything that answers at a point.

use std::any::Any;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde::Serialize;

use crate::contract::{ContributionKind, ExecutionPolicy, FailurePolicy, HookRole};
use crate::model::call::Call;
use crate::model::effects::Effects;
use crate::model::failure::Failure;
use crate::model::named::{self, Named as _};
use crate::model::points::{Action, Point};
use crate::model::prompt::Policies;
use crate::model::reached::Reached;
use crate::model::recording::Recording;
use crate::model::secrets::Secrets;
use crate::model::share::Share;
use crate::model::verdict::Digest;
use crate::model::write_run::WriteRun;

/// The greatest length of an id, in bytes.
const LONGEST_ID: usize = 64;

/// A hook's id. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct HookId(Arc<str>);

impl HookId {
    /// Returns the id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether a text is an id: lower-case letters, digits and dashes, a letter first, not
    /// too long.
    pub fn fits(id: &str) -> bool {
        id.len() <= LONGEST_ID
            && id.starts_with(|c: char| c.is_ascii_lowercase())
            && id
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    }
}

impl From<&str> for HookId {
    fn from(id: &str) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A hook at one point: a component, a native Rust hook or a script behind one trait.
pub trait Hook<P: Point>: Send + Sync {
    /// Answers a call. A future that needs the call later holds a clone of it, which is cheap.
    fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P>;
}

/// A hook's response: an answer, or a future of one. A ready answer costs no allocation.
pub enum Response<'a, P: Point> {
    /// The answer.
    Ready(Answer<P>),
    /// A future of the answer.
    Future(BoxFuture<'a, Answer<P>>),
}

impl<P: Point> fmt::Debug for Response<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(answer) => f.debug_tuple("Ready").field(answer).finish(),
            Self::Future(_) => f.write_str("Future"),
        }
    }
}

/// A hook's answer and its cost.
#[derive(Debug)]
pub struct Answer<P: Point> {
    pub(crate) said: Said<P>,
    /// The fuel that the hook used; `None` if fuel is not counted.
    pub fuel: Option<u64>,
    /// The bytes of memory that the hook's instance has after the call; `None` if the hook is not a
    /// component.
    pub memory: Option<u64>,
    /// The writes of the call, to be kept if the outcome is accepted.
    pub(crate) effects: Option<Box<Effects>>,
    /// Whether an instance was started for the call because the previous one had been evicted.
    pub(crate) restarted: bool,
    /// The observations of the call, if calls are watched or recorded.
    pub(crate) seen: Option<Box<Seen>>,
}

impl<P: Point> Answer<P> {
    /// Returns whether the answer may change the call's subject.
    pub(crate) fn may_change(&self) -> bool {
        matches!(self.said, Said::Action(_))
    }
}

/// The observations of a call.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The host resources that the call used, if they are watched.
    pub(crate) reached: Option<Box<Reached>>,
    /// The data needed to replay the call, if calls are recorded.
    pub(crate) recording: Option<Box<Recording>>,
}

/// The action that a hook asks of the chain, or its failure. The type is small, since each call
/// moves it several times.
#[derive(Debug)]
pub(crate) enum Said<P: Point> {
    Continue,
    Action(Box<Action<P>>),
    Failed(Box<Failure>),
}

impl<P: Point> From<Action<P>> for Said<P> {
    fn from(action: Action<P>) -> Self {
        match action {
            Action::Continue => Self::Continue,
            action => Self::Action(Box::new(action)),
        }
    }
}

impl<P: Point> From<Failure> for Said<P> {
    fn from(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

impl<P: Point> Answer<P> {
    /// Creates an answer with an outcome, without fuel.
    pub fn of(outcome: P::Outcome) -> Self {
        Self::from(Ok(outcome))
    }

    /// Returns whether the store of hooks' state must have the writes of the call before the answer
    /// counts.
    pub(crate) fn waits_for_store(&self) -> bool {
        let effects = self.effects.as_ref();
        effects.is_some_and(|effects| effects.wait_for_store())
    }

    /// Returns the action that the hook asks of the chain.
    ///
    /// # Errors
    ///
    /// The hook's failure.
    pub fn action(mut self) -> Result<Action<P>, Failure> {
        self.take_action()
    }

    /// Takes the action and leaves `continue` in its place.
    pub(crate) fn take_action(&mut self) -> Result<Action<P>, Failure> {
        match std::mem::replace(&mut self.said, Said::Continue) {
            Said::Continue => Ok(Action::Continue),
            Said::Action(action) => Ok(*action),
            Said::Failed(failure) => Err(*failure),
        }
    }
}

impl<P: Point> From<Result<P::Outcome, Failure>> for Answer<P> {
    /// Creates an answer with an outcome or a failure, without fuel.
    fn from(outcome: Result<P::Outcome, Failure>) -> Self {
        let action = outcome.map(Into::<Action<P>>::into);
        Self {
            said: action.map_or_else(Said::from, Said::from),
            fuel: None,
            memory: None,
            effects: None,
            restarted: false,
            seen: None,
        }
    }
}

impl<P: Point, H: Hook<P> + ?Sized> Hook<P> for Arc<H> {
    fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P> {
        (**self).call(call)
    }
}

/// A hook whose panics become failures, subject to the hook's failure policy.
pub(crate) struct Caught<H>(pub(crate) H);

impl<P: Point, H: Hook<P>> Hook<P> for Caught<H> {
    fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P> {
        match panic::catch_unwind(AssertUnwindSafe(|| self.0.call(call))) {
            Ok(Response::Future(answer)) => {
                let caught = AssertUnwindSafe(answer).catch_unwind();
                let caught = caught.map(|caught| caught.unwrap_or_else(panicked));
                Response::Future(Box::pin(caught))
            }
            Ok(ready) => ready,
            Err(payload) => Response::Ready(panicked(payload)),
        }
    }
}

fn panicked<P: Point>(_: Box<dyn Any + Send>) -> Answer<P> {
    Err(Failure::Host("the hook's code panicked".into())).into()
}

/// Creates a native hook from a closure that answers at once.
pub(crate) fn native<P, F>(answer: F) -> Arc<dyn Hook<P>>
where
    P: Point,
    F: Fn(&Call<P>) -> Result<P::Outcome, Failure> + Send + Sync + 'static,
{
    struct Native<F>(F);

    impl<P, F> Hook<P> for Native<F>
    where
        P: Point,
        F: Fn(&Call<P>) -> Result<P::Outcome, Failure> + Send + Sync,
    {
        fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P> {
            Response::Ready((self.0)(call).into())
        }
    }

    Arc::new(Native(answer))
}

/// Creates a native hook from a closure that answers later.
pub(crate) fn native_async<P, F>(answer: F) -> Arc<dyn Hook<P>>
where
    P: Point,
    F: for<'a> Fn(&'a Call<P>) -> BoxFuture<'a, Result<P::Outcome, Failure>>
        + Send
        + Sync
        + 'static,
{
    struct NativeAsync<F>(F);

    impl<P, F> Hook<P> for NativeAsync<F>
    where
        P: Point,
        F: for<'a> Fn(&'a Call<P>) -> BoxFuture<'a, Result<P::Outcome, Failure>> + Send + Sync,
    {
        fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P> {
            let call = call.clone();
            Response::Future(Box::pin(async move { (self.0)(&call).await.into() }))
        }
    }

    Arc::new(NativeAsync(answer))
}

/// Whether a hook's answers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The answers count.
    #[default]
    Enforce,
    /// The answers are recorded, and change nothing.
    Audit,
}

impl Mode {
    /// Returns the mode's name in `hooks.toml`.
    pub fn name(self) -> &'static str {
        named::name_of(self)
    }

    /// Returns the mode of a hook in a session, if its answers count in a share of sessions.
    pub(crate) fn within(self, share: Option<Share>, hook: &str, root: &str) -> Self {
        match share {
            Some(share) if !share.has(hook, root) => Self::Audit,
            _ => self,
        }
    }

    /// Returns the mode with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut names = Self::NAMES.iter();
        names
            .find(|(other, _)| *other == name)
            .map(|(_, mode)| *mode)
    }
}

/// The settings by which a chain treats a hook. The operator and the hook's author choose them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Profile {
    /// The hook's id.
    pub(crate) id: HookId,
    /// The hook's role, which limits its answers.
    pub(crate) role: HookRole,
    /// The effect of the hook's failure.
    pub(crate) failure: FailurePolicy,
    /// Whether the hook's answers count.
    pub(crate) mode: Mode,
    /// The share of sessions in which the answers count; `None` for all sessions.
    pub(crate) share: Option<Share>,
    /// The policy by which the agent waits for the hook.
    pub(crate) execution: ExecutionPolicy,
    /// The time at which the start of the hook's runs is in the journal.
    pub(crate) write_run: WriteRun,
    /// The longest time that the chain waits for the hook, if no other limit applies.
    pub(crate) deadline: Option<Duration>,
    /// The kinds that the hook may contribute.
    pub(crate) contributes: Vec<ContributionKind>,
    /// The effect of the hook's policies on earlier policies.
    pub(crate) policies: Policies,
    /// The most contributions in one answer; a bundle counts as its tools. Default 256.
    pub(crate) most_contributions: usize,
    /// The digest of the hook's component, if it is one.
    pub(crate) component: Option<Digest>,
    pub(crate) secrets: Arc<Secrets>,
}

impl Profile {
    /// Creates the profile of a blocking, enforced hook of role `transform` that fails closed and
    /// contributes nothing.
    #[cfg(test)]
    pub(crate) fn new(id: impl Into<HookId>) -> Self {
        Self {
            id: id.into(),
            role: HookRole::Transform,
            failure: FailurePolicy::FailClosed,
            mode: Mode::Enforce,
            share: None,
            execution: ExecutionPolicy::Blocking,
            write_run: WriteRun::default(),
            deadline: None,
            contributes: Vec::new(),
            policies: Policies::default(),
            most_contributions: crate::model::limits::Limits::default().contributions,
            component: None,
            secrets: Arc::default(),
        }
    }

    /// Returns the hook's mode in a session. `root` is the id of the outermost agent's session.
    pub(crate) fn mode_in(&self, root: &str) -> Mode {
        self.mode.within(self.share, self.id.as_str(), root)
    }

    /// Returns whether the hook runs detached.
    pub(crate) fn is_detached(&self) -> bool {
        matches!(
            self.execution,
            ExecutionPolicy::FireAndRecord | ExecutionPolicy::Background
        )
    }
}
