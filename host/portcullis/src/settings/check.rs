//! Conversion of the parsed file into settings: every value is checked, and every error is found.

use std::collections::BTreeSet;
use std::time::Duration;

use super::file;
use super::source::{SettingsError, TomlSource};
use super::{Defaults, HookSettings, Settings};
use crate::chain::quarantine::QuarantineOptions;
use crate::model::hook::Mode;
use crate::model::limits::{Amount, LONGEST_MS, Limits, MOST, MOST_BYTES, MOST_CALLS, TurnLimits};
use crate::model::points::AnswerKind;
use crate::model::share::Share;
use crate::model::view::View;
use crate::sandbox::engine::EngineOptions;

/// Returns the settings without the wrong entries, and the errors.
pub(super) fn settings(file: file::File, source: TomlSource) -> (Settings, Vec<SettingsError>) {
    let mut check = Check {
        source: &source,
        errors: Vec::new(),
    };
    let engine = check.engine(&file.engine);
    let turn = check.turn(&file.turn);
    let quarantine = check.quarantine(&file.quarantine);
    let defaults = Defaults {
        limits: (file.defaults.limits)
            .checked(&mut check, &["defaults", "limits"])
            .over(&Limits::default()),
        views: file.defaults.views.unwrap_or_else(|| View::ALL.to_vec()),
        answers: file
            .defaults
            .answers
            .unwrap_or_else(|| AnswerKind::ALL.to_vec()),
    };
    let unnamed = check.unnamed(file.unnamed);
    let components: BTreeSet<String> = file.hooks.keys().cloned().collect();
    let scripts = file
        .scripts
        .into_iter()
        .filter_map(|(id, script)| {
            if components.contains(&id) {
                check.both(&id);
            }
            let settings = check.script(&id, script)?;
            Some((id, settings))
        })
        .collect();
    let hooks = file
        .hooks
        .into_iter()
        .map(|(id, hook)| {
            let settings = check.hook(&id, hook);
            (id, settings)
        })
        .collect();
    let secrets = check.secrets(file.secrets);
    let http = check.http(file.http);
    let trust = check.trust(file.trust);
    let telemetry = check.telemetry(file.telemetry);
    let errors = check.errors;
    let settings = Settings {
        engine,
        turn,
        quarantine,
        integrity: file.integrity,
        trust,
        recording: file.recording,
        alerts_file: file.alerts.file.map(|file| source.dir().join(file)),
        telemetry,
        http,
        defaults,
        unnamed,
        hooks,
        scripts,
        secrets,
        source,
    };
    (settings, errors)
}

pub(super) struct Check<'a> {
    pub(super) source: &'a TomlSource,
    pub(super) errors: Vec<SettingsError>,
}

impl Check<'_> {
    fn engine(&mut self, engine: &file::Engine) -> EngineOptions {
        let default = EngineOptions::default();
        let tick = self.number(engine.tick_ms, &["engine"], "tick-ms", 1_000);
        EngineOptions {
            tick: tick.map_or(default.tick, |ms| Duration::from_millis(ms as u64)),
            fuel: engine.fuel.unwrap_or(default.fuel),
            compile: self
                .millis(engine.compile_ms, &["engine"], "compile-ms")
                .unwrap_or(default.compile),
            compile_memory_bytes: self
                .amount(
                    engine.compile_memory_bytes,
                    &["engine"],
                    "compile-memory-bytes",
                    MOST,
                )
                .unwrap_or(default.compile_memory_bytes),
            component_bytes: self
                .amount(
                    engine.component_bytes,
                    &["engine"],
                    "component-bytes",
                    MOST_BYTES,
                )
                .unwrap_or(default.component_bytes),
            concurrent_calls: self
                .number(
                    engine.concurrent_calls,
                    &["engine"],
                    "concurrent-calls",
                    MOST_CALLS,
                )
                .map_or(default.concurrent_calls, |calls| calls as usize),
            queued_calls: self
                .number(engine.queued_calls, &["engine"], "queued-calls", MOST_CALLS)
                .map_or(default.queued_calls, |calls| calls as usize),
            memory_bytes: self
                .number(engine.memory_bytes, &["engine"], "memory-bytes", MOST)
                .map_or(default.memory_bytes, |bytes| bytes as u64),
            memory_mappings: self.amount(
                engine.memory_mappings,
                &["engine"],
                "memory-mappings",
                MOST,
            ),
            deterministic: default.deterministic,
            http: default.http,
            playback: default.playback,
            directories: default.directories,
        }
    }

    fn turn(&mut self, turn: &file::Turn) -> TurnLimits {
        let default = TurnLimits::default();
        TurnLimits {
            hooks: self
                .millis(turn.hooks_ms, &["turn"], "hooks-ms")
                .unwrap_or(default.hooks),
            fuel: self
                .number(turn.fuel, &["turn"], "fuel", MOST)
                .map_or(default.fuel, |fuel| fuel as u64),
        }
    }

    fn quarantine(&mut self, quarantine: &file::Quarantine) -> QuarantineOptions {
        let default = QuarantineOptions::default();
        let at = &["quarantine"];
        QuarantineOptions {
            failures: self
                .number(quarantine.failures, at, "failures", MOST_CALLS)
                .map_or(default.failures, |failures| failures as u32),
            period: self
                .number(quarantine.seconds, at, "seconds", LONGEST_MS / 1_000)
                .map_or(default.period, |seconds| {
                    Duration::from_secs(seconds as u64)
                }),
        }
    }

    fn hook(&mut self, id: &str, hook: file::Hook) -> HookSettings {
        self.config(&["hooks", id, "config"], &hook.config);
        let share = self.share(hook.share, hook.mode, &["hooks", id]);
        HookSettings {
            enabled: hook.enabled,
            priority: hook.priority,
            after: hook.after,
            role: hook.role,
            failure: hook.failure,
            execution: hook.execution,
            isolation: hook.isolation,
            write_state: hook.write_state,
            write_run: hook.write_run,
            mode: hook.mode,
            share,
            policies: hook.policies,
            limits: hook.limits.checked(self, &["hooks", id, "limits"]),
            grants: hook.grants,
            config: hook.config,
        }
    }

    /// Checks the share of sessions in which a hook's answers count.
    pub(super) fn share(
        &mut self,
        share: Option<f64>,
        mode: Option<Mode>,
        at: &[&str],
    ) -> Option<Share> {
        let share = share?;
        if mode == Some(Mode::Audit) {
            let problem = "is of the sessions in which a hook's answers count, and with `mode = \"audit\"` they count in none; write `mode = \"enforce\"`, or remove it";
            self.wrong(at, "share", problem);
            return None;
        }
        match Share::try_from(share) {
            Ok(share) => Some(share),
            Err(error) => {
                self.wrong(at, "share", &error.to_string());
                None
            }
        }
    }

    pub(super) fn millis(
        &mut self,
        value: Option<i64>,
        at: &[&str],
        key: &str,
    ) -> Option<Duration> {
        self.number(value, at, key, LONGEST_MS)
            .map(|ms| Duration::from_millis(ms as u64))
    }

    /// Checks a number from 1 to `most` and converts it.
    pub(super) fn amount<A: Amount>(
        &mut self,
        value: Option<i64>,
        at: &[&str],
        key: &str,
        most: i64,
    ) -> Option<A> {
        self.number(value, at, key, most).map(|n| A::of(n as u64))
    }

    /// Checks a number from 1 to `most`.
    pub(super) fn number(
        &mut self,
        value: Option<i64>,
        at: &[&str],
        key: &str,
        most: i64,
    ) -> Option<i64> {
        let value = value?;
        if (1..=most).contains(&value) {
            return Some(value);
        }
        self.wrong(
            at,
            key,
            &format!("must be from 1 to {most}, and is {value}"),
        );
        None
    }

    pub(super) fn wrong(&mut self, at: &[&str], key: &str, problem: &str) {
        let keys: Vec<&str> = at.iter().copied().chain([key]).collect();
        let error = self.source.error(&keys, format!("`{key}` {problem}"));
        self.errors.push(error);
    }
}
