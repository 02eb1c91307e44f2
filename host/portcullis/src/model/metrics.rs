//! Metrics in the form that `tracing-opentelemetry` reads: events of the target
//! `portcullis::metrics`, whose fields name the counter and its labels.

use crate::model::failure::Cause;
use crate::model::verdict::HookRun;

/// Counts a hook of role gate or transform that did not do its work.
pub(crate) fn guard_did_not_run(run: &HookRun, cause: Cause, refused: bool) {
    tracing::info!(
        target: "portcullis::metrics",
        {
            monotonic_counter.portcullis_guard_did_not_run = 1_u64,
            hook = %run.hook,
            point = %run.point,
            cause = %cause,
            refused,
        },
        "a guard did not run"
    );
}

/// Counts an instance that was started again, since the previous one was evicted.
#[cold]
pub(crate) fn restarted(run: &HookRun) {
    tracing::info!(
        target: "portcullis::metrics",
        {
            monotonic_counter.portcullis_hook_restarted = 1_u64,
            hook = %run.hook,
            point = %run.point,
        },
        "a hook was started again: its instance had been evicted"
    );
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use super::*;
    use crate::contract::Context;
    use crate::model::call::{Call, Views};
    use crate::model::hook::Profile;
    use crate::model::points::{PointId, PreTurn, pre_turn};

    /// Keeps the fields of events.
    #[derive(Clone, Default)]
    struct Fields(Arc<Mutex<Vec<(String, String)>>>);

    impl Visit for Fields {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            let told = (field.name().to_owned(), format!("{value:?}"));
            self.0.lock().expect("no panic").push(told);
        }
    }

    impl Subscriber for Fields {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == "portcullis::metrics"
        }
        fn event(&self, event: &Event<'_>) {
            event.record(&mut self.clone());
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn a_counter_with_its_labels() {
        let call = Call::<PreTurn>::new(
            Context {
                session_id: "s".into(),
                agent: "a".into(),
                turn: 1,
                step: 0,
            },
            pre_turn::facts(&[]),
            Views::default(),
        );
        let run = HookRun::skipped(PointId::PreTurn, &call.context, &Profile::new("guard"));
        let fields = Fields::default();
        tracing::subscriber::with_default(fields.clone(), || {
            guard_did_not_run(&run, Cause::Trap, true);
        });
        let told = fields.0.lock().expect("no panic").clone();
        for (name, value) in [
            ("monotonic_counter.portcullis_guard_did_not_run", "1"),
            ("hook", "guard"),
            ("point", "pre-turn"),
            ("cause", "trap"),
            ("refused", "true"),
        ] {
            let found = told.iter().find(|(told, _)| told == name);
            assert_eq!(
                found.map(|(_, value)| value.as_str()),
                Some(value),
                "{name}"
            );
        }
    }
}
