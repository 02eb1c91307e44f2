//! The call that an instance is answering: the data it may read, and its answer.

use std::any::Any;
use std::sync::Arc;

use crate::contract::{Context, HookError};
use crate::model::call::{CallData, Views};
use crate::model::failure::Failure;
use crate::model::hook::Said;
use crate::model::limits::Limits;
use crate::model::points::{Action, Point, PointId};
use crate::model::prompt::Size as _;

/// A call at some point.
pub(crate) trait AnyCall: Any + Send + Sync {
    fn point(&self) -> PointId;
    fn context(&self) -> &Context;
    fn views(&self) -> &Views;
    fn as_any(&self) -> &dyn Any;
}

impl<P: Point> AnyCall for CallData<P> {
    fn point(&self) -> PointId {
        P::ID
    }

    fn context(&self) -> &Context {
        &self.context
    }

    fn views(&self) -> &Views {
        &self.views
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A hook's answer so far.
enum Given {
    /// The action, of the type `Action<P>` of the current point.
    Action(Box<dyn Any + Send>),
    /// The contributions, of the type `Vec<P::Contribution>`.
    Contributions {
        list: Box<dyn Any + Send>,
        bytes: usize,
    },
    /// The hook's own failure.
    Failed(HookError),
}

impl Given {
    fn said<P: Point>(self) -> Said<P> {
        match self {
            Self::Failed(error) => Failure::from(error).into(),
            Self::Action(action) => match action.downcast() {
                Ok(action) => Said::Action(action),
                Err(_) => elsewhere::<P>().into(),
            },
            Self::Contributions { list, .. } => match list.downcast() {
                Ok(list) => Action::<P>::Contribute(*list).into(),
                Err(_) => elsewhere::<P>().into(),
            },
        }
    }
}

/// The limits on a hook's contributions in one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) contributions: usize,
    pub(crate) bytes: usize,
}

impl Room {
    pub(crate) fn of(limits: &Limits) -> Self {
        Self {
            contributions: limits.contributions,
            bytes: limits.output_bytes,
        }
    }
}

/// The call that an instance is answering.
pub(crate) struct CurrentCall {
    call: Option<Arc<dyn AnyCall>>,
    given: Option<Given>,
    room: Room,
}

impl CurrentCall {
    pub(crate) fn new(room: Room) -> Self {
        Self {
            call: None,
            given: None,
            room,
        }
    }

    #[inline]
    pub(crate) fn begin(&mut self, call: Arc<dyn AnyCall>) {
        self.call = Some(call);
        self.given = None;
    }

    /// Ends the call and returns the hook's answer. `answered` is its handler's return value.
    #[inline]
    pub(crate) fn end<P: Point>(&mut self, answered: bool) -> Said<P> {
        self.call = None;
        match (self.given.take(), answered) {
            (None, false) => Said::Continue,
            (None, true) => misuse("it returned true, but gave no answer").into(),
            (Some(_), false) => misuse("it gave an answer, but returned false").into(),
            (Some(given), true) => given.said(),
        }
    }

    /// Discards the call and any answer.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.call = None;
        self.given = None;
    }

    /// Returns the call's views; empty ones outside of a call.
    pub(crate) fn views(&self) -> &Views {
        match &self.call {
            Some(call) => call.views(),
            None => Views::empty(),
        }
    }

    pub(crate) fn context_now(&self) -> wasmtime::Result<&Context> {
        match &self.call {
            Some(call) => Ok(call.context()),
            None => Err(misuse("it read the context outside of a call").into()),
        }
    }

    pub(crate) fn point_now(&self) -> wasmtime::Result<PointId> {
        match &self.call {
            Some(call) => Ok(call.point()),
            None => Err(misuse("it used the current call outside of a call").into()),
        }
    }

    /// Returns the facts of the call, which must be one at `P`.
    pub(crate) fn facts_at<P: Point>(&self) -> wasmtime::Result<&P::Input> {
        let call = self.call.as_ref();
        let call = call.and_then(|call| call.as_any().downcast_ref::<CallData<P>>());
        match call {
            Some(call) => Ok(P::input(&call.subject)),
            None => {
                let text = format!("it read the facts of `{}` outside of a call there", P::ID);
                Err(Failure::BadOutput(text).into())
            }
        }
    }

    /// Records the hook's answer. A hook may answer once in a call.
    pub(crate) fn answer_at<P: Point>(&mut self, action: Action<P>) -> wasmtime::Result<()> {
        self.at::<P>()?;
        self.give(Given::Action(Box::new(action)))
    }

    /// Records a contribution. A hook may contribute several times in a call, and may then give no
    /// other answer.
    pub(crate) fn contribute_at<P: Point>(
        &mut self,
        contribution: P::Contribution,
    ) -> wasmtime::Result<()> {
        self.at::<P>()?;
        let size = contribution.bytes();
        let given = self.given.get_or_insert_with(|| Given::Contributions {
            list: Box::new(Vec::<P::Contribution>::new()),
            bytes: 0,
        });
        let Given::Contributions { list, bytes } = given else {
            return Err(twice().into());
        };
        let Some(list) = list.downcast_mut::<Vec<P::Contribution>>() else {
            return Err(elsewhere::<P>().into());
        };
        *bytes = bytes.saturating_add(size);
        let room = self.room;
        if list.len() >= room.contributions {
            let (given, most) = (list.len() + 1, room.contributions);
            return Err(Failure::Contributions { given, most }.into());
        }
        if *bytes > room.bytes {
            let text = format!(
                "its contributions have more than {} bytes together (`output-bytes` of its limits)",
                room.bytes
            );
            return Err(Failure::BadOutput(text).into());
        }
        list.push(contribution);
        Ok(())
    }

    /// Records the hook's report that it failed.
    pub(crate) fn report_failure(&mut self, error: HookError) -> wasmtime::Result<()> {
        match (&self.call, &self.given) {
            // The contributions of a hook that fails are dropped.
            (Some(_), Some(Given::Contributions { .. })) => {
                self.given = Some(Given::Failed(error));
                Ok(())
            }
            (Some(_), _) => self.give(Given::Failed(error)),
            (None, _) => Err(misuse("it failed outside of a call").into()),
        }
    }

    fn at<P: Point>(&self) -> Result<(), Failure> {
        match &self.call {
            Some(call) if call.point() == P::ID => Ok(()),
            _ => Err(elsewhere::<P>()),
        }
    }

    fn give(&mut self, given: Given) -> wasmtime::Result<()> {
        match self.given {
            None => {
                self.given = Some(given);
                Ok(())
            }
            Some(_) => Err(twice().into()),
        }
    }
}

/// Returns the failure for an action that the contract forbids. It ends the call, as a trap does.
fn misuse(text: &str) -> Failure {
    Failure::BadOutput(text.to_owned())
}

fn twice() -> Failure {
    misuse("it answered twice in one call")
}

fn elsewhere<P: Point>() -> Failure {
    Failure::BadOutput(format!(
        "it answered at `{}` outside of a call there",
        P::ID
    ))
}
