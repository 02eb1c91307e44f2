//! Hooks in Rust, in the same chains and the same order as components.

use std::sync::Arc;

use futures::future::BoxFuture;

use crate::chain::handlers::Handlers;
use crate::contract::{ContributionKind, ExecutionPolicy, FailurePolicy, HookRole};
use crate::load::Declared;
use crate::model::call::Call;
use crate::model::failure::Failure;
use crate::model::hook::{Hook, Mode, native, native_async};
use crate::model::points::{Point, PointSet};

/// A hook in Rust: closures or trait objects, one for each point it serves.
///
/// A native hook runs in the same chains and the same order as components. If it is loaded together
/// with components ([`LoadOptions::native`](crate::LoadOptions)), the settings for its id in
/// `hooks.toml` apply to it.
///
/// ```
/// use portcullis::points::{PreStep, pre_step};
/// use portcullis::{Hooks, NativeHook};
/// use portcullis::contract::{HookRole, StopKind, StopSignal};
///
/// let short = NativeHook::new("short-turns")
///     .role(HookRole::Gate)
///     .priority(-200)
///     .on::<PreStep>(|call| Ok(match call.subject.steps {
///         0..5 => pre_step::Outcome::Continue,
///         _ => pre_step::Outcome::Stop(StopSignal {
///             kind: StopKind::StepsLimit,
///             message: "five steps are enough".into(),
///         }),
///     }));
/// let hooks = Hooks::none().with([short])?;
/// # Ok::<(), portcullis::hooks::LoadErrors>(())
/// ```
#[derive(Debug, Clone)]
pub struct NativeHook {
    pub(crate) declared: Declared,
    pub(crate) description: String,
    pub(crate) handlers: Handlers,
}

impl NativeHook {
    /// Creates a hook that serves no point yet, with the role `transform`, priority 100, blocking
    /// execution, the default failure policy of its role, and no contributions.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            declared: Declared {
                id: id.into(),
                role: HookRole::Transform,
                failure: None,
                priority: None,
                execution: ExecutionPolicy::Blocking,
                after: Vec::new(),
                contributes: Vec::new(),
                mode: Mode::Enforce,
            },
            description: String::new(),
            handlers: Handlers::default(),
        }
    }

    /// Sets the description: one sentence.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the role, which limits the answers.
    pub fn role(mut self, role: HookRole) -> Self {
        self.declared.role = role;
        self
    }

    /// Sets the failure policy. Default: gate and transform fail closed, observe fails open.
    pub fn failure(mut self, failure: FailurePolicy) -> Self {
        self.declared.failure = Some(failure);
        self
    }

    /// Sets the priority. Low runs first; default 100.
    pub fn priority(mut self, priority: i32) -> Self {
        self.declared.priority = Some(priority);
        self
    }

    /// Sets the hooks that must run before this one.
    pub fn after(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.declared.after = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets how the agent waits for the hook. `deadline` limits hooks that answer
    /// [later](Self::on_async). A hook that answers synchronously cannot be interrupted.
    pub fn execution(mut self, execution: ExecutionPolicy) -> Self {
        self.declared.execution = execution;
        self
    }

    /// Sets the mode: whether the answers count. Default: they do.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.declared.mode = mode;
        self
    }

    /// Sets the contributions.
    pub fn contributes(mut self, kinds: impl IntoIterator<Item = ContributionKind>) -> Self {
        self.declared.contributes = kinds.into_iter().collect();
        self
    }

    /// Serves a point with a closure.
    pub fn on<P: Point>(
        self,
        answer: impl Fn(&Call<P>) -> Result<P::Outcome, Failure> + Send + Sync + 'static,
    ) -> Self {
        self.serve(native::<P, _>(answer))
    }

    /// Serves a point with a closure that answers asynchronously, such as one that queries a
    /// server.
    ///
    /// The chain waits for the hook without a limit, unless its [execution](Self::execution) is
    /// `deadline`. Then a call fails after `limits.wall-ms` of the hook's table in `hooks.toml`, by
    /// default 1,000, and its failure policy decides.
    ///
    /// ```
    /// use portcullis::NativeHook;
    /// use portcullis::contract::ExecutionPolicy;
    /// use portcullis::points::{PreTurn, pre_turn};
    ///
    /// let hook = NativeHook::new("asks-a-server")
    ///     .execution(ExecutionPolicy::Deadline)
    ///     .on_async::<PreTurn>(|_| Box::pin(async {
    ///         tokio::task::yield_now().await;
    ///         Ok(pre_turn::Outcome::Continue)
    ///     }));
    /// ```
    pub fn on_async<P: Point>(
        self,
        answer: impl for<'a> Fn(&'a Call<P>) -> BoxFuture<'a, Result<P::Outcome, Failure>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.serve(native_async::<P, _>(answer))
    }

    /// Serves a point with a [`Hook`] implementation.
    pub fn serve<P: Point>(mut self, hook: Arc<dyn Hook<P>>) -> Self {
        self.handlers.put(hook);
        self
    }

    /// Returns the id.
    pub fn id(&self) -> &str {
        &self.declared.id
    }

    pub(crate) fn points(&self) -> PointSet {
        self.handlers.points()
    }
}
