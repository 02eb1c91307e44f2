//! An invocation, as the server sees it: Restate's protocol over one HTTP/2 stream.
//!
//! The protocol itself is the state machine of Restate's SDKs. Their Rust SDK is not used: there, nothing is read
//! from the stream while an effect runs, so that a cancel waits for the effect's end, and a lost connection is not
//! noticed.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use futures::future::{Either, select};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Incoming};
use restate_sdk_shared_core::{
    AwaitResponse, CoreVM, Error, Header, Input, NonEmptyValue, NotificationHandle, PayloadOptions,
    ResponseHead, RetryPolicy, RunExitResult, RunHandle, Target, UnresolvedFuture, VM as _,
    VMOptions, Value,
};
use tokio::sync::mpsc;

/// The time limit of waiting for the request's end, so that the stream is not reset under a proxy.
const DRAIN: Duration = Duration::from_secs(60);

/// The reason why an invocation does not continue here. The server retries it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// The server has taken the invocation back, or the connection is lost.
    #[error("the server ended the connection")]
    Lost,
    /// The invocation waits for something that does not arrive on this connection: the server calls again.
    #[error("the server suspended it")]
    Suspended,
    /// The invocation cannot continue now.
    #[error("{0}")]
    Retry(String),
    /// The protocol was violated.
    #[error("{0}")]
    Protocol(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error.is_suspended_error() {
            true => Self::Suspended,
            false => Self::Protocol(error),
        }
    }
}

/// The outcome of waiting for an effect.
pub(crate) enum During<T> {
    /// The effect is done.
    Done(T),
    /// The invocation is cancelled. It continues, and reports this.
    Cancelled,
}

/// An invocation.
pub(crate) struct Invocation<B = Incoming> {
    vm: CoreVM,
    request: B,
    response: mpsc::UnboundedSender<Bytes>,
    closed: bool,
    /// Whether the invocation was cancelled while no effect ran. The state machine reports it once.
    cancelled: bool,
}

impl<B: Body<Data = Bytes> + Unpin> Invocation<B> {
    /// Returns the head of the response, and the invocation.
    pub(crate) fn new(
        headers: http::HeaderMap,
        request: B,
        response: mpsc::UnboundedSender<Bytes>,
    ) -> Result<(ResponseHead, Self), Error> {
        let vm = CoreVM::new(headers, VMOptions::default())?;
        let head = vm.get_response_head();
        let invocation = Self {
            vm,
            request,
            response,
            closed: false,
            cancelled: false,
        };
        Ok((head, invocation))
    }

    /// Returns the invocation's input, once the server has sent the journal.
    pub(crate) async fn input(&mut self) -> Result<Input, Stop> {
        while !self.vm.is_ready_to_execute()? {
            self.read().await?;
        }
        Ok(self.vm.sys_input()?)
    }

    /// Returns a value of the session's state.
    pub(crate) async fn state(&mut self, key: &str) -> Result<Option<Bytes>, Stop> {
        let options = PayloadOptions::default();
        let handle = self.vm.sys_state_get(key.to_owned(), None, options)?;
        match self.value(handle).await? {
            Value::Success(value) => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    /// Sets a value of the session's state, or removes it.
    pub(crate) fn set_state(&mut self, key: &str, value: Option<Bytes>) -> Result<(), Stop> {
        match value {
            Some(value) => {
                let options = PayloadOptions::default();
                self.vm
                    .sys_state_set(key.to_owned(), value, None, options)?;
            }
            None => self.vm.sys_state_clear(key.to_owned(), None)?,
        }
        Ok(())
    }

    /// Sends a call of a handler at a time since the Unix epoch, without waiting for it.
    pub(crate) fn send_at(
        &mut self,
        target: Target,
        input: Bytes,
        at: Duration,
    ) -> Result<(), Stop> {
        let options = PayloadOptions::default();
        self.vm.sys_send(target, input, Some(at), None, options)?;
        Ok(())
    }

    /// Begins an effect. It is run if its value is not in the journal.
    pub(crate) fn effect(&mut self, name: &str) -> Result<RunHandle, Stop> {
        Ok(self.vm.sys_run(name.to_owned())?)
    }

    /// Returns the value of an effect that is in the journal.
    pub(crate) async fn recorded(&mut self, effect: NotificationHandle) -> Result<Bytes, Stop> {
        match self.value(effect).await? {
            Value::Success(value) => Ok(value),
            other => {
                let what: &str = (&other).into();
                Err(Stop::Retry(format!("the journal has {what} for an effect")))
            }
        }
    }

    /// Does the work of an effect. `work` is polled while the stream is read, and is not lost.
    pub(crate) async fn during<T>(
        &mut self,
        effect: NotificationHandle,
        work: impl Future<Output = T>,
    ) -> Result<During<T>, Stop> {
        if std::mem::take(&mut self.cancelled) {
            return Ok(During::Cancelled);
        }
        let mut work = pin!(work);
        loop {
            self.flush()?;
            match self.vm.do_await(UnresolvedFuture::Single(effect))? {
                AwaitResponse::CancelSignalReceived => return Ok(During::Cancelled),
                AwaitResponse::ExecuteRun(_) => continue,
                _ => {}
            }
            if self.closed {
                // The server wants to suspend the invocation: the effect ends first.
                let response = self.response.clone();
                match select(work.as_mut(), pin!(response.closed())).await {
                    Either::Left((done, _)) => return Ok(During::Done(done)),
                    Either::Right(_) => return Err(Stop::Lost),
                }
            }
            let read = pin!(self.read());
            match select(work.as_mut(), read).await {
                Either::Left((done, _)) => return Ok(During::Done(done)),
                Either::Right((read, _)) => read?,
            }
        }
    }

    /// Writes the value of an effect to the journal. It is durable when this returns.
    pub(crate) async fn record(
        &mut self,
        effect: NotificationHandle,
        value: Bytes,
    ) -> Result<(), Stop> {
        let value = RunExitResult::Success(value);
        self.vm
            .propose_run_completion(effect, value, RetryPolicy::Infinite)?;
        self.value(effect).await.map(drop)
    }

    /// Ends the invocation with its output.
    pub(crate) async fn end(mut self, output: Bytes) -> Result<(), Stop> {
        let options = PayloadOptions::default();
        self.vm
            .sys_write_output(NonEmptyValue::Success(output), options)?;
        self.vm.sys_end()?;
        self.flush()?;
        self.drain().await;
        Ok(())
    }

    /// Reports the reason why the invocation does not continue here.
    pub(crate) async fn stop(mut self, why: &Stop) {
        match why {
            Stop::Lost => return,
            Stop::Suspended | Stop::Protocol(_) => {}
            Stop::Retry(why) => self.vm.notify_error(Error::internal(why.clone()), None),
        }
        if self.flush().is_ok() {
            self.drain().await;
        }
    }

    async fn value(&mut self, handle: NotificationHandle) -> Result<Value, Stop> {
        loop {
            self.flush()?;
            match self.vm.do_await(UnresolvedFuture::Single(handle))? {
                AwaitResponse::AnyCompleted => {
                    if let Some(value) = self.vm.take_notification(handle)? {
                        return Ok(value);
                    }
                }
                AwaitResponse::WaitingExternalProgress { .. } => self.read().await?,
                AwaitResponse::CancelSignalReceived => self.cancelled = true,
                _ => {}
            }
        }
    }

    fn flush(&mut self) -> Result<(), Stop> {
        let out = self.vm.take_output();
        match out.is_empty() || self.response.send(out).is_ok() {
            true => Ok(()),
            false => Err(Stop::Lost),
        }
    }

    /// Reads the server's next bytes. If the future is dropped, nothing is lost.
    async fn read(&mut self) -> Result<(), Stop> {
        let frame = {
            let response = self.response.clone();
            let closed = pin!(async move { response.closed().await });
            match select(pin!(self.request.frame()), closed).await {
                Either::Left((frame, _)) => frame,
                Either::Right(_) => return Err(Stop::Lost),
            }
        };
        match frame {
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    self.vm.notify_input(data);
                }
            }
            Some(Err(_)) => return Err(Stop::Lost),
            None => {
                self.closed = true;
                self.vm.notify_input_closed();
            }
        }
        Ok(())
    }

    async fn drain(&mut self) {
        let rest = async { while let Some(Ok(_)) = self.request.frame().await {} };
        // The wait for a server that does not end its request is bounded.
        let _ = tokio::time::timeout(DRAIN, rest).await;
    }
}

/// Returns the headers of a response, as texts.
pub(crate) fn headers_of(head: &ResponseHead) -> impl Iterator<Item = (&str, &str)> {
    head.headers
        .iter()
        .map(|Header { key, value }| (key.as_ref(), value.as_ref()))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future::ready;

    use http_body_util::StreamBody;
    use hyper::body::Frame;

    use super::*;

    const START: u16 = 0x0000;
    const INPUT: u16 = 0x0400;
    const RUN_COMPLETED: u16 = 0x8011;
    const SIGNAL: u16 = 0xFBFF;

    /// Returns a message of the protocol.
    fn message(kind: u16, body: &[u8]) -> Vec<u8> {
        let head = (u64::from(kind) << 48) | body.len() as u64;
        [&head.to_be_bytes()[..], body].concat()
    }

    /// Returns the start of an invocation: its id, that id as text, the number of journal entries, 1, and
    /// the session.
    fn start() -> Vec<u8> {
        message(
            START,
            &[0x0a, 1, b'i', 0x12, 1, b'i', 0x18, 1, 0x32, 1, b's'],
        )
    }

    /// Returns the journal's one entry: the call, with an empty input.
    fn input() -> Vec<u8> {
        message(INPUT, &[0x72, 0])
    }

    /// Returns the cancel of an invocation, which is signal 1.
    fn cancel() -> Vec<u8> {
        message(SIGNAL, &[0x10, 1, 0x22, 0])
    }

    /// Returns an invocation whose server sends this, and the stream of its messages to the server.
    fn invocation(
        sent: Vec<Vec<u8>>,
    ) -> (
        Invocation<impl Body<Data = Bytes, Error = Infallible> + Unpin>,
        mpsc::UnboundedReceiver<Bytes>,
    ) {
        let frames = sent.into_iter().map(Bytes::from);
        let frames = frames.map(|bytes| Ok::<_, Infallible>(Frame::data(bytes)));
        let body = StreamBody::new(futures::stream::iter(frames));
        let content_type = "application/vnd.restate.invocation.v5".parse().unwrap();
        let headers = http::HeaderMap::from_iter([(http::header::CONTENT_TYPE, content_type)]);
        let (response, receiver) = mpsc::unbounded_channel();
        let (_, invocation) = Invocation::new(headers, body, response).unwrap();
        (invocation, receiver)
    }

    /// The cancel arrives before the acknowledgement of the first effect.
    #[tokio::test]
    async fn a_cancel_while_an_effect_is_recorded_is_heard_during_the_next() {
        let recorded = message(RUN_COMPLETED, &[0x08, 1, 0x2a, 3, 0x0a, 1, b'1']);
        let sent = vec![[start(), input()].concat(), cancel(), recorded];
        let (mut invocation, _response) = invocation(sent);
        invocation.input().await.unwrap();
        let first = invocation.effect("effects").unwrap();
        assert!(!first.replayed);
        let during = invocation.during(first.handle, ready(7)).await.unwrap();
        assert!(matches!(during, During::Done(7)));
        invocation
            .record(first.handle, Bytes::from_static(b"1"))
            .await
            .unwrap();
        let second = invocation.effect("effects").unwrap();
        let during = invocation.during(second.handle, ready(8)).await.unwrap();
        assert!(matches!(during, During::Cancelled), "the cancel is lost");
        // The cancel is reported once.
        let during = invocation.during(second.handle, ready(8)).await.unwrap();
        assert!(matches!(during, During::Done(8)));
    }
}
