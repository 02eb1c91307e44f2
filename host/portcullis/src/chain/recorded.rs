//! Hooks whose answers count once their runs are recorded.

use std::sync::Arc;

use crate::model::call::Call;
use crate::model::failure::Failure;
use crate::model::hook::{Answer, Hook, Response, Said};
use crate::model::points::Point;
use crate::model::sink::HookObserver;

/// The recorder of a session's runs.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(crate) session: Arc<str>,
    pub(crate) sink: Arc<dyn HookObserver>,
}

/// A hook whose answers count once their runs are recorded. It takes the place of the hook in the
/// chain, so that other hooks have no added cost.
pub(super) struct Recorded<P: Point> {
    pub(super) hook: Arc<dyn Hook<P>>,
    pub(super) recorder: Recorder,
}

impl<P: Point> Hook<P> for Recorded<P> {
    fn call<'a>(&'a self, call: &Call<P>) -> Response<'a, P> {
        let response = self.hook.call(call);
        Response::Future(Box::pin(async move {
            let answer = match response {
                Response::Ready(answer) => answer,
                Response::Future(answer) => answer.await,
            };
            if let Said::Failed(_) = answer.said {
                return answer;
            }
            let Recorder { session, sink } = &self.recorder;
            match sink.recorded(session).await {
                Ok(()) => answer,
                // Dropping the call's writes undoes them.
                Err(error) => Answer {
                    said: Failure::Journal(error).into(),
                    effects: None,
                    ..answer
                },
            }
        }))
    }
}
