//! Alerts: an operator is notified when a hook fails, is slow or did not run, or when the hooks of
//! a turn use too much.
//!
//! [`Alerts`] watch hook runs where they are recorded: [`Alerts::recorder`] passes runs to the
//! journal, or replaces it. A separate thread counts runs, calls webhooks and runs commands, so no
//! call of a hook waits for them. Without alerts there is no recorder, and nothing is counted.
//!
//! ```
//! use std::sync::Arc;
//!
//! use portcullis_agent::{RunEnd, RunRecorder as _, RunRow, RunState};
//! use portcullis_alerts::{Alerts, Measure, Rule};
//!
//! let (alerts, heard) = (Rule::new("broken", Measure::NotRun), std::sync::mpsc::channel());
//! let alerts = Alerts::start(vec![alerts], |_| false, move |alert| heard.0.send(alert.message.clone()).unwrap())?;
//! let recorder = alerts.recorder(None);
//! recorder.begin(RunRow { id: 1, hook: "guard".into(), ..RunRow::default() });
//! recorder.end(1, RunEnd { cause: Some("trap".into()), ..RunEnd::of(RunState::Failed) });
//! assert_eq!(heard.1.recv()?, "hook `guard` did not run 1 time in 300 s (trap); an alert is set at more than 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alert;
mod deliver;
mod recorder;
mod rule;
mod state;
mod window;
mod worker;

pub use alert::{Alert, Place};
pub use deliver::{Secret, Target, Webhook};
pub use recorder::Alerts;
pub use rule::{Measure, Rule};
pub use worker::AlertsError;
