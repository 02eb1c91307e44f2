//! `[scripts.<id>]`: hooks that are commands.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::check::Check;
use super::{Defaults, Settings, SettingsError, file};
use crate::contract::text::sanitize_for_terminal;
use crate::contract::{ContributionKind, ExecutionPolicy, FailurePolicy, HookRole};
use crate::model::hook::{HookId, Mode, Profile};
use crate::model::limits::Limits;
use crate::model::limits::MOST_BYTES;
use crate::model::points::PointId;
use crate::model::prompt::Policies;
use crate::model::share::Share;
use crate::model::view::View;
use crate::model::write_run::WriteRun;
use crate::script::ScriptCommand;

/// The prefix of the environment variables that describe a call to a script.
const OURS: &str = "PORTCULLIS_";

/// A hook that is a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptSettings {
    /// The program. A relative path with a slash is relative to the hooks directory; a bare name is
    /// looked up in `PATH`.
    pub program: String,
    /// The arguments.
    pub args: Vec<String>,
    /// The points that the script serves, at least one, as written in `hooks.toml`.
    pub points: Vec<PointId>,
    /// Whether the script is enabled. Default yes.
    pub enabled: bool,
    /// The priority; low runs first. Default as for any hook.
    pub priority: Option<i32>,
    /// The hooks that run before this one. Default: none.
    pub after: Vec<String>,
    /// The role, which limits the answers. Default: `gate`, which an exit code can express.
    pub role: HookRole,
    /// The failure policy. Default: fail-open for an observer, else fail-closed.
    pub failure: FailurePolicy,
    /// The mode: whether the script's answers count. Default: they do.
    pub mode: Mode,
    /// The share of sessions in which the script's answers count. Default: all.
    pub share: Option<Share>,
    /// The execution policy: how the agent waits for the script. Default: until it answers.
    pub execution: ExecutionPolicy,
    /// The time at which the start of a run is written to the journal. Default: after the answer.
    pub write_run: WriteRun,
    /// The contributions that the script may make. Default: none.
    pub contribute: Vec<ContributionKind>,
    /// The time limit of one call. Default 5 s.
    pub timeout: Duration,
    /// The most bytes that the script may write to stdout, and to stderr. Default 1 MiB.
    pub max_output_bytes: usize,
    /// The script's environment variables. Default: none.
    pub env: BTreeMap<String, String>,
    /// The views that the script receives. Default: the views in `[defaults]`.
    pub views: Option<Vec<View>>,
}

impl ScriptSettings {
    /// Returns the command, which runs in the hooks directory `dir`.
    pub fn command(&self, dir: &Path, defaults: &Defaults) -> ScriptCommand {
        // The command starts in the directory, where a path relative to the current directory would
        // be wrong.
        let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
        ScriptCommand {
            program: match self.program.contains(std::path::is_separator) {
                true => dir.join(&self.program),
                false => PathBuf::from(&self.program),
            },
            args: self.args.clone(),
            cwd: Some(dir),
            env: self.env.clone(),
            timeout: self.timeout,
            max_output_bytes: self.max_output_bytes,
            views: self.views.as_ref().unwrap_or(&defaults.views).clone(),
        }
    }

    /// Returns the script's profile for chains.
    pub(crate) fn profile(&self, id: &str) -> Profile {
        Profile {
            secrets: std::sync::Arc::default(),
            id: HookId::from(id),
            role: self.role,
            failure: self.failure,
            mode: self.mode,
            share: self.share,
            execution: self.execution,
            write_run: self.write_run,
            deadline: None,
            policies: Policies::default(),
            contributes: self.contribute.clone(),
            most_contributions: Limits::default().contributions,
            component: None,
        }
    }
}

impl Settings {
    /// Returns an error for each enabled script of a directory whose program cannot be run. Loading
    /// does not check this: a program may be installed later, and until then the script's calls
    /// fail with `spawn`.
    pub fn missing_programs(&self, dir: &Path) -> Vec<SettingsError> {
        let running = self.scripts.iter().filter(|(_, script)| script.enabled);
        running
            .filter_map(|(id, script)| {
                let why = script.command(dir, &self.defaults).find().err()?;
                let keys = ["scripts", id, "command"];
                Some(self.source.error(&keys, format!("script `{id}`: {why}")))
            })
            .collect()
    }
}

impl Check<'_> {
    /// Returns the settings of a script. Reports an error and returns `None` if a required key is
    /// missing.
    pub(super) fn script(&mut self, id: &str, script: file::Script) -> Option<ScriptSettings> {
        let at = &["scripts", id];
        self.script_id(id);
        self.script_env(&script.env, at);
        let role = script.role.unwrap_or(HookRole::Gate);
        let failure = self.script_failure(role, script.failure, at);
        let share = self.share(script.share, script.mode, at);
        let timeout = self.millis(script.timeout_ms, at, "timeout-ms");
        let most = self.amount(script.max_output_bytes, at, "max-output-bytes", MOST_BYTES);
        let command = self.script_command(script.command, at);
        let points = self.script_points(script.points, at);
        let (program, args) = command?;
        Some(ScriptSettings {
            program,
            args,
            points: points?,
            enabled: script.enabled.unwrap_or(true),
            priority: script.priority,
            after: script.after.unwrap_or_default(),
            role,
            failure,
            mode: script.mode.unwrap_or_default(),
            share,
            execution: self.script_execution(role, script.execution, at),
            write_run: script.write_run.unwrap_or_default(),
            contribute: script.contribute.unwrap_or_default(),
            timeout: timeout.unwrap_or(ScriptCommand::TIMEOUT),
            max_output_bytes: most.unwrap_or(ScriptCommand::MAX_OUTPUT_BYTES),
            env: script.env,
            views: script.views,
        })
    }

    /// Reports an id that both a component and a script have.
    pub(super) fn both(&mut self, id: &str) {
        self.errors.push(self.source.error(
            &["scripts", id],
            format!("`{id}` is in `[hooks]` too; every hook has an id of its own, so rename one"),
        ));
    }

    fn script_id(&mut self, id: &str) {
        if !HookId::fits(id) {
            self.errors.push(self.source.error(
                &["scripts", id],
                format!(
                    "`{}` is no id; an id has lower-case letters, digits and dashes, begins with a letter, and is at most 64 bytes long",
                    sanitize_for_terminal(id)
                ),
            ));
        }
    }

    fn script_command(
        &mut self,
        command: Option<Vec<String>>,
        at: &[&str],
    ) -> Option<(String, Vec<String>)> {
        let mut words = command.unwrap_or_default().into_iter();
        let Some(program) = words.next().filter(|program| !program.is_empty()) else {
            self.wrong(
                at,
                "command",
                "must name a program and its arguments, such as [\"python3\", \"check.py\"]",
            );
            return None;
        };
        let args: Vec<String> = words.collect();
        if program.contains('\0') || args.iter().any(|arg| arg.contains('\0')) {
            self.wrong(
                at,
                "command",
                "has a NUL in it, which no program can be given",
            );
            return None;
        }
        Some((program, args))
    }

    fn script_points(&mut self, points: Option<Vec<PointId>>, at: &[&str]) -> Option<Vec<PointId>> {
        let points = points.unwrap_or_default();
        if points.is_empty() {
            self.wrong(
                at,
                "points",
                "must name the points it serves, such as [\"pre-tool-call\"]",
            );
            return None;
        }
        let mut seen = BTreeSet::new();
        for point in &points {
            if !seen.insert(*point) {
                self.wrong(at, "points", &format!("names `{point}` twice"));
            }
        }
        Some(points)
    }

    fn script_failure(
        &mut self,
        role: HookRole,
        said: Option<FailurePolicy>,
        at: &[&str],
    ) -> FailurePolicy {
        match (role, said) {
            (HookRole::Observe, Some(FailurePolicy::FailClosed)) => {
                self.wrong(
                    at,
                    "failure",
                    "cannot be `fail-closed` for an observing hook (role `observe`): an observer never changes a verdict; give it the role `gate`",
                );
                FailurePolicy::FailOpen
            }
            (HookRole::Observe, _) => FailurePolicy::FailOpen,
            (_, said) => said.unwrap_or(FailurePolicy::FailClosed),
        }
    }

    fn script_execution(
        &mut self,
        role: HookRole,
        said: Option<ExecutionPolicy>,
        at: &[&str],
    ) -> ExecutionPolicy {
        let execution = said.unwrap_or(ExecutionPolicy::Blocking);
        let detached = matches!(
            execution,
            ExecutionPolicy::FireAndRecord | ExecutionPolicy::Background
        );
        if detached && role != HookRole::Observe {
            self.wrong(
                at,
                "execution",
                "is not to be waited for, so the script can decide nothing; give it the role `observe`",
            );
        }
        execution
    }

    fn script_env(&mut self, env: &BTreeMap<String, String>, at: &[&str]) {
        for (name, value) in env {
            let problem = if name.is_empty() || name.contains(['=', '\0']) {
                "is no name of a variable"
            } else if value.contains('\0') {
                "has a NUL in it, which no variable can have"
            } else if name.starts_with(OURS) {
                "is kept for what the host tells a script; choose another name"
            } else {
                continue;
            };
            let keys: Vec<&str> = at.iter().copied().chain(["env", name]).collect();
            let name = sanitize_for_terminal(name);
            self.errors
                .push(self.source.error(&keys, format!("`{name}` {problem}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    fn parse(toml: &str) -> Result<Settings, String> {
        Settings::parse(Path::new("hooks.toml"), toml).map_err(|errors| {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            lines.join("\n")
        })
    }

    const REQUIRED: &str = "command = [\"sh\", \"check.sh\"]\npoints = [\"pre-tool-call\"]\n";

    fn script(toml: &str) -> ScriptSettings {
        let settings = parse(&format!("[scripts.check]\n{toml}")).unwrap();
        settings.scripts.into_values().next().unwrap()
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let script = script(REQUIRED);
        assert_eq!(
            script,
            ScriptSettings {
                program: "sh".into(),
                args: vec!["check.sh".into()],
                points: vec![PointId::PreToolCall],
                enabled: true,
                priority: None,
                after: Vec::new(),
                role: HookRole::Gate,
                failure: FailurePolicy::FailClosed,
                mode: Mode::Enforce,
                share: None,
                execution: ExecutionPolicy::Blocking,
                write_run: WriteRun::AfterAnswer,
                contribute: Vec::new(),
                timeout: Duration::from_secs(5),
                max_output_bytes: 1 << 20,
                env: BTreeMap::new(),
                views: None,
            }
        );
        let command = script.command(Path::new("/hooks"), &Defaults::default());
        assert_eq!(command.program, Path::new("sh"));
        assert_eq!(command.cwd.as_deref(), Some(Path::new("/hooks")));
        assert_eq!(command.views, View::ALL);
    }

    #[test]
    fn what_is_said_is_taken() {
        let all = "enabled = false\npriority = -3\nafter = [\"first\"]\nrole = \"observe\"\n\
                   mode = \"audit\"\ntimeout-ms = 20\nmax-output-bytes = 30\nviews = [\"session\"]\n\
                   env = { LEVEL = \"high\" }\n";
        let script = script(&format!("{REQUIRED}{all}"));
        assert!(!script.enabled);
        assert_eq!(script.priority, Some(-3));
        assert_eq!(script.after, ["first"]);
        assert_eq!(script.role, HookRole::Observe);
        assert_eq!(script.failure, FailurePolicy::FailOpen);
        assert_eq!(script.mode, Mode::Audit);
        assert_eq!(script.profile("check").id.as_str(), "check");
        let command = script.command(Path::new("/hooks"), &Defaults::default());
        assert_eq!(command.timeout, Duration::from_millis(20));
        assert_eq!(command.max_output_bytes, 30);
        assert_eq!(command.views, [View::Session]);
        assert_eq!(command.env["LEVEL"], "high");
    }

    #[test]
    fn the_views_of_the_defaults_hold_where_nothing_is_said() {
        let defaults = Defaults {
            views: vec![View::Content],
            ..Defaults::default()
        };
        let command = script(REQUIRED).command(Path::new("/hooks"), &defaults);
        assert_eq!(command.views, [View::Content]);
    }

    #[cfg(unix)]
    #[test]
    fn a_program_with_a_slash_is_of_the_hooks_directory() {
        let here = std::env::current_dir().unwrap();
        for (dir, program, want) in [
            ("/hooks", "sh", PathBuf::from("sh")),
            ("/hooks", "./check.sh", "/hooks/check.sh".into()),
            ("/hooks", "bin/check", "/hooks/bin/check".into()),
            ("/hooks", "/bin/sh", "/bin/sh".into()),
            ("hooks", "./check.sh", here.join("hooks/check.sh")),
        ] {
            let toml = REQUIRED.replace("\"sh\"", &format!("{program:?}"));
            let command = script(&toml).command(Path::new(dir), &Defaults::default());
            assert_eq!(command.program, want, "{dir} {program}");
            assert!(command.cwd.unwrap().is_absolute());
        }
    }

    #[test]
    fn every_wrong_line_is_named_with_its_fix() {
        let required = |more: &str| format!("[scripts.check]\n{REQUIRED}{more}\n");
        for (toml, line, fix) in [
            ("[script.check]\n".into(), 1, "did you mean `scripts`?"),
            (required("timeout = 5"), 4, "did you mean `timeout-ms`?"),
            (required("timeout-ms = 0"), 4, "must be from 1"),
            (required("max-output-bytes = -1"), 4, "and is -1"),
            (required("role = \"gat\""), 4, "did you mean `gate`?"),
            (required("mode = \"adit\""), 4, "did you mean `audit`?"),
            (
                required("views = [\"sesion\"]"),
                4,
                "did you mean `session`?",
            ),
            (
                required("role = \"observe\"\nfailure = \"fail-closed\""),
                5,
                "give it the role `gate`",
            ),
            (required("execution = \"background\""), 4, "role `observe`"),
            (required("contribute = [\"notes\"]"), 4, "`note`"),
            (required("enabled = 1"), 4, "`true` or `false`"),
            (required("env = { A = 1 }"), 4, "must be a text"),
            (
                required("[scripts.check.env]\n\"A=B\" = \"\""),
                5,
                "no name",
            ),
            (
                required("[scripts.check.env]\nPORTCULLIS_TURN = \"1\""),
                5,
                "choose another name",
            ),
            (required("env = { A = \"\\u0000\" }"), 4, "NUL"),
            (
                "[scripts.check]\npoints = [\"pre-tool-cal\"]\n".into(),
                2,
                "did you mean `pre-tool-call`?",
            ),
            (
                "[scripts.check]\npoints = [\"x\"]\n".into(),
                2,
                "there is no `x` here; write one of `session-start`",
            ),
            (
                "[scripts.check]\ncommand = [\"sh\"]\npoints = []\n".into(),
                3,
                "must name the points",
            ),
            (
                "[scripts.check]\ncommand = [\"sh\"]\n".into(),
                1,
                "must name the points",
            ),
            (
                "[scripts.check]\npoints = [\"pre-turn\"]\n".into(),
                1,
                "must name a program",
            ),
            (
                "[scripts.check]\npoints = [\"pre-turn\"]\ncommand = [\"\"]\n".into(),
                3,
                "must name a program",
            ),
            (
                "[scripts.check]\npoints = [\"pre-turn\"]\ncommand = \"sh\"\n".into(),
                3,
                "must be a list",
            ),
            (
                "[scripts.check]\npoints = [\"pre-turn\"]\ncommand = [\"a\\u0000\"]\n".into(),
                3,
                "NUL",
            ),
            (
                "[scripts.check]\ncommand = [\"sh\"]\npoints = [\"pre-turn\", \"pre-turn\"]\n"
                    .into(),
                3,
                "names `pre-turn` twice",
            ),
            (
                format!("[hooks.check]\n[scripts.check]\n{REQUIRED}"),
                2,
                "rename one",
            ),
            (
                format!("[scripts.Check]\n{REQUIRED}"),
                1,
                "lower-case letters",
            ),
        ] {
            let error = parse(&toml).expect_err(&toml);
            assert!(
                error.contains(&format!("hooks.toml:{line}: ")),
                "{toml}: {error}"
            );
            assert!(error.contains(fix), "{toml}: {error}");
        }
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once() {
        let error = parse("[scripts.Check]\ntimeout-ms = 0\nmax-output-bytes = 0\n").unwrap_err();
        assert_eq!(error.lines().count(), 5, "{error}");
    }
}
