//! `[[alerts]]`: the conditions under which an operator is notified of hooks that fail, are slow or
//! do not run.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use portcullis::Hooks;
use portcullis::contract::HookRole;
use portcullis::points::PointId;
use portcullis::settings::SettingsError;
use portcullis_agent::{AgentEvent, Emitted, EventSender};
use portcullis_alerts::{Alert, Alerts, Measure, Rule, Secret, Target, Webhook};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::{Faults, not_known};
use crate::file::AgentFile;
use crate::line_command::line_command;
use crate::paths::resolve_program;
use crate::start::StartError;

/// When somebody is alerted, and how. Every alert is an event and a line of the log; with `webhook` or `command` it is
/// also delivered. It is reported once when it fires, and once when it is resolved.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct AlertTable {
    /// The alert's name.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub name: String,
    /// The measure. `not-run`: the number of times a guard did not do its work. `failure-rate`: the
    /// share of a hook's calls that failed, from 0 to 1. `p99-ms`, `p99-fuel` and
    /// `p99-memory-bytes`: the milliseconds, the fuel and the bytes of memory that 99 of 100 hook
    /// calls do not exceed. `turn-ms` and `turn-fuel`: the total time and fuel of the hooks in one
    /// turn.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub when: Option<Measure>,
    /// The alert fires above this: a number of runs, a share, milliseconds, fuel, or bytes.
    pub over: f64,
    /// The hook to watch. Without it, each hook is watched separately.
    #[schemars(extend("x-if-left-out" = "every hook"))]
    pub hook: Option<String>,
    /// Only runs at this point.
    #[schemars(extend("x-if-left-out" = "any point"))]
    pub point: Option<String>,
    /// Seconds that it looks back.
    #[schemars(extend("default" = Rule::WINDOW_S))]
    pub window_s: Option<NonZeroU64>,
    /// The fewest calls of which a failure rate or a p99 is taken.
    #[schemars(extend("default" = Rule::AT_LEAST))]
    pub at_least: Option<NonZeroU32>,
    /// Seconds for which the measure must not have been above `over` before the alert is resolved.
    #[schemars(extend("default" = Rule::COOL_DOWN_S))]
    pub cool_down_s: Option<NonZeroU64>,
    /// A server that gets the alert as JSON, by HTTP POST. A try that fails or has another status than 2xx is repeated four
    /// times within 22 seconds. Redirects are not followed.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub webhook: Option<String>,
    /// The variable of the environment that holds the address, in place of `webhook`, if the address is a secret.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub webhook_env: Option<String>,
    /// The variable of the environment that holds a bearer token for the webhook.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub token_env: Option<String>,
    /// A program and its arguments. It gets the alert as one line of JSON on its standard input. It runs outside of the
    /// sandbox, in the working directory, and is repeated as a webhook is if it does not exit with 0.
    pub command: Vec<String>,
    /// Variables that the command inherits from the agent's environment beside `PATH`, `HOME` and the locale.
    pub inherit_env: Vec<String>,
    /// Milliseconds that one try may take.
    #[schemars(extend("default" = Webhook::TIMEOUT_MS))]
    pub timeout_ms: Option<NonZeroU64>,
}

impl AlertTable {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        if let Some(program) = self.command.first_mut() {
            resolve_program(program, dir);
        }
    }

    fn faults(&self, index: usize, faults: &mut Faults<'_>) {
        let index = index.to_string();
        let at = ["alerts", index.as_str()];
        let key = |key: &'static str| ["alerts", index.as_str(), key];
        faults.required(&at, "name", !self.name.is_empty(), "name the alert");
        let names = Measure::ALL.map(Measure::name).join(", ");
        let why = format!("say what is measured: {names}");
        faults.required(&at, "when", self.when.is_some(), &why);
        if !(self.over >= 0.0 && self.over.is_finite()) {
            faults.add(&key("over"), "`over` must be 0 or more");
        }
        if self.when == Some(Measure::FailureRate) && self.over >= 1.0 {
            let problem = "`over` is a share of calls, and no share is above 1; 0.05 is 5 %";
            faults.add(&key("over"), problem);
        }
        if let Some(point) = &self.point {
            let points: Vec<&str> = PointId::ALL.iter().map(|point| point.name()).collect();
            faults.one_of(&key("point"), "point", point, &points, &[]);
        }
        if self.webhook.is_some() && self.webhook_env.is_some() {
            let problem = "`webhook` and `webhook-env` are two addresses; remove one";
            faults.add(&key("webhook-env"), problem);
        }
        let has_webhook = self.webhook.is_some() || self.webhook_env.is_some();
        if !self.inherit_env.is_empty() && self.command.is_empty() {
            let problem = "`inherit-env` is for a command; add `command`";
            faults.add(&key("inherit-env"), problem);
        }
        if self.timeout_ms.is_some() && self.command.is_empty() && !has_webhook {
            let problem = "`timeout-ms` is for a webhook or a command; add one";
            faults.add(&key("timeout-ms"), problem);
        }
        if self.token_env.is_some() && !has_webhook {
            let problem = "`token-env` is for a webhook; add `webhook` or `webhook-env`";
            faults.add(&key("token-env"), problem);
        }
        if let Some(address) = &self.webhook {
            faults.address(&key("webhook"), Some(address.as_str()), "token");
            if !(address.starts_with("http://") || address.starts_with("https://")) {
                faults.add(
                    &key("webhook"),
                    "a webhook begins with `https://` or `http://`",
                );
            }
        }
        for (name, variable) in [
            ("webhook-env", &self.webhook_env),
            ("token-env", &self.token_env),
        ] {
            if let Some(variable) = variable.as_ref().filter(|it| std::env::var(it).is_err()) {
                let problem =
                    format!("the variable {variable} is not set; set it, or remove `{name}`");
                faults.add(&key(name), problem);
            }
        }
        if let Some(program) = self.command.first() {
            faults.program(&key("command"), program);
        }
    }

    /// Returns the rule; `None` if the table has a fault.
    fn rule(&self, working_dir: Option<PathBuf>) -> Option<Rule> {
        let timeout_ms = self.timeout_ms.map_or(Webhook::TIMEOUT_MS, NonZeroU64::get);
        let variable = |name: &Option<String>| name.as_ref().and_then(|it| std::env::var(it).ok());
        let address = self.webhook.clone().or_else(|| variable(&self.webhook_env));
        let webhook = address.map(|url| {
            Target::Webhook(Webhook {
                token: variable(&self.token_env).map(Secret),
                timeout: Duration::from_millis(timeout_ms),
                ..Webhook::new(url)
            })
        });
        let command = line_command(&self.command, &self.inherit_env, working_dir, timeout_ms);
        let command = command.map(Target::Command);
        let seconds = |given: Option<NonZeroU64>, default| {
            Duration::from_secs(given.map_or(default, NonZeroU64::get))
        };
        let at_least = self.at_least.map_or(Rule::AT_LEAST, NonZeroU32::get);
        Some(Rule {
            over: self.over,
            hook: self.hook.clone(),
            point: self.point.clone(),
            window: seconds(self.window_s, Rule::WINDOW_S),
            at_least: usize::try_from(at_least).unwrap_or(usize::MAX),
            cool_down: seconds(self.cool_down_s, Rule::COOL_DOWN_S),
            targets: webhook.into_iter().chain(command).collect(),
            ..Rule::new(self.name.clone(), self.when?)
        })
    }
}

impl AgentFile {
    pub(crate) fn alert_faults(&self, faults: &mut Faults<'_>) {
        for (index, alert) in self.alerts.iter().enumerate() {
            alert.faults(index, faults);
            let mut before = self.alerts.iter().take(index);
            if !alert.name.is_empty() && before.any(|other| other.name == alert.name) {
                let problem = format!("two alerts are called `{}`; rename one", alert.name);
                faults.add(&["alerts", &index.to_string(), "name"], problem);
            }
        }
    }

    /// Returns the errors in `[[alerts]]`. With one of them, no alert starts.
    pub fn alert_errors(&self) -> Vec<SettingsError> {
        let mut faults = Faults::of(self);
        self.alert_faults(&mut faults);
        faults.into_errors()
    }

    /// Returns a warning for each alert that names an unknown hook, with its line and the nearest
    /// name. Such an alert never fires. It prevents no start, since several agents may share a file
    /// of alerts.
    pub fn alert_warnings<'a>(
        &self,
        hooks: impl IntoIterator<Item = &'a Hooks>,
    ) -> Vec<SettingsError> {
        let summaries = hooks.into_iter().flat_map(Hooks::summaries);
        let ids: Vec<String> = summaries.map(|hook| hook.id.to_string()).collect();
        let known: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut warnings = Faults::of(self);
        for (index, alert) in self.alerts.iter().enumerate() {
            if let Some(hook) = alert.hook.as_deref().filter(|hook| !known.contains(hook)) {
                let problem = not_known("hook", hook, &known);
                let problem = format!("the alert `{}` never fires: {problem}", alert.name);
                warnings.add(&["alerts", &index.to_string(), "hook"], problem);
            }
        }
        warnings.into_errors()
    }

    /// Starts the alerts of the file; `None` if it has none. Alerts are emitted to the subscribers
    /// of `events`.
    ///
    /// # Errors
    ///
    /// The tables have faults, there is no thread, or no HTTP client.
    pub fn start_alerts(
        &self,
        hooks: impl Fn() -> Vec<Hooks> + Send + 'static,
        events: EventSender,
        working_dir: Option<PathBuf>,
    ) -> Result<Option<Alerts>, StartError> {
        let faults = self.alert_errors();
        if !faults.is_empty() {
            return Err(StartError::Faults(faults));
        }
        let rules = self.alerts.iter();
        let rules: Vec<Rule> = rules
            .filter_map(|alert| alert.rule(working_dir.clone()))
            .collect();
        if rules.is_empty() {
            return Ok(None);
        }
        // A guard of one agent may be an observer of another. A removed hook may have been a guard.
        let observes = move |hook: &str| {
            let summaries = hooks().into_iter().flat_map(|hooks| hooks.summaries());
            let mut own = summaries.filter(|it| it.id.as_str() == hook).peekable();
            own.peek().is_some() && own.all(|it| it.role == HookRole::Observe)
        };
        let session: Arc<str> = "".into();
        let told = move |alert: &Alert| {
            events.emit(|| {
                let event = AgentEvent::AlertChanged {
                    alert: alert.alert.clone(),
                    firing: alert.firing,
                    hook: alert.hook.clone(),
                    message: alert.message.clone(),
                };
                Emitted::new(session.clone(), 0, 0, event)
            });
        };
        Ok(Some(Alerts::start(rules, observes, told)?))
    }
}
