//! Running the cases of a directory.

mod cannot_run;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use portcullis::hooks::{HooksError, LoadErrors};
use portcullis::points::PointId;
use portcullis::secrets::Secrets;
use portcullis::text::{nearest, sanitize_for_terminal};
use serde::Serialize;
use serde_json::Value;

use self::cannot_run::{CannotRun, Told};
use crate::case::{self, Case, CaseError, Difference, compare};
use crate::play::{Fixture, Given, Got, Outcome, Trace, play};
use crate::sample::{Sample, SampleError};

/// The cases of a directory.
pub struct Suite<'a> {
    dir: PathBuf,
    filter: Option<String>,
    case: Option<String>,
    trace: bool,
    update: bool,
    on_case: &'a dyn Fn(&CaseReport),
}

impl std::fmt::Debug for Suite<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Suite")
            .field("dir", &self.dir)
            .field("filter", &self.filter)
            .field("update", &self.update)
            .finish_non_exhaustive()
    }
}

/// The error that cases cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// The directory cannot be read.
    #[error("the cases in {} cannot be read: {cause}; name another directory with --cases, or create it and write a case (docs/cases.md)", dir.display())]
    Unreadable {
        /// The directory.
        dir: PathBuf,
        /// The cause.
        #[source]
        cause: std::io::Error,
    },
    /// The directory contains no cases.
    #[error("there are no cases in {}; write one: a file such as first.toml with `point = \"pre-turn\"`, and let --update write the result", .0.display())]
    None(PathBuf),
    /// No case has this name.
    #[error("there is no case `{}` in {}; {}", sanitize_for_terminal(case), dir.display(), match nearest(case, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the cases are: {}", names.join(", ")),
    })]
    NoCase {
        /// The directory.
        dir: PathBuf,
        /// The name.
        case: String,
        /// The names.
        names: Vec<String>,
    },
    /// No name contains the filter.
    #[error("no case in {} has `{filter}` in its name; the cases are: {}", dir.display(), names.join(", "))]
    Filtered {
        /// The directory.
        dir: PathBuf,
        /// The filter.
        filter: String,
        /// The names.
        names: Vec<String>,
    },
}

/// The results of the cases.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct TestReport {
    /// The hook.
    pub hook: String,
    /// The component.
    pub component: PathBuf,
    /// The cases, by name.
    pub cases: Vec<CaseReport>,
}

impl TestReport {
    /// Returns whether every case passed.
    pub fn passed(&self) -> bool {
        let well = |case: &CaseReport| matches!(case.status, Status::Passed | Status::Updated);
        self.cases.iter().all(well)
    }
}

/// The result of a case.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CaseReport {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// Its description.
    pub about: Option<String>,
    /// The point, if it has one.
    pub point: Option<PointId>,
    /// Its status.
    pub status: Status,
    /// The hook's outcome, if it was called.
    pub outcome: Option<Outcome>,
    /// The code of the cause, if the hook failed.
    pub cause: Option<&'static str>,
    /// The differences from the expected result.
    pub differences: Vec<Difference>,
    /// Errors that keep it from running.
    pub errors: Vec<String>,
    /// The hook's log lines, each behind its level.
    pub logs: Vec<String>,
    /// The duration of the call, in microseconds.
    pub micros: Option<u64>,
    /// The fuel it used.
    pub fuel: Option<u64>,
    /// The trace, if [`Suite::trace`] was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// The result of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The result is as expected.
    Passed,
    /// The result is not as expected.
    Failed,
    /// The expected result was replaced by the actual one.
    Updated,
    /// The case cannot run.
    Broken,
}

impl<'a> Suite<'a> {
    /// Returns the cases of a directory: its `.toml` files.
    pub fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            filter: None,
            case: None,
            trace: false,
            update: false,
            on_case: &|_| {},
        }
    }

    /// Runs only the cases whose names contain this text.
    pub fn filter(mut self, filter: Option<String>) -> Self {
        self.filter = filter;
        self
    }

    /// Runs only the case with this name.
    pub fn case(mut self, case: Option<String>) -> Self {
        self.case = case;
        self
    }

    /// Sets whether the hook's calls of the host are reported. Default no.
    pub fn trace(mut self, trace: bool) -> Self {
        self.trace = trace;
        self
    }

    /// Sets whether the expected results in the files are replaced by the actual ones.
    pub fn update(mut self, update: bool) -> Self {
        self.update = update;
        self
    }

    /// Sets a function that is called after each case.
    pub fn on_case(mut self, on_case: &'a dyn Fn(&CaseReport)) -> Self {
        self.on_case = on_case;
        self
    }

    /// Returns the files, by name.
    ///
    /// # Errors
    ///
    /// The directory contains no cases.
    pub fn files(&self) -> Result<Vec<PathBuf>, SuiteError> {
        let unreadable = |cause| SuiteError::Unreadable {
            dir: self.dir.clone(),
            cause,
        };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.dir).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                files.push(path);
            }
        }
        files.sort();
        if files.is_empty() {
            return Err(SuiteError::None(self.dir.clone()));
        }
        if let Some(case) = &self.case {
            return match files.iter().find(|file| name(file) == *case) {
                Some(file) => Ok(vec![file.clone()]),
                None => Err(SuiteError::NoCase {
                    dir: self.dir.clone(),
                    case: case.clone(),
                    names: files.iter().map(|file| name(file)).collect(),
                }),
            };
        }
        let Some(filter) = &self.filter else {
            return Ok(files);
        };
        let (chosen, others): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|file| name(file).contains(filter.as_str()));
        match chosen.is_empty() {
            false => Ok(chosen),
            true => Err(SuiteError::Filtered {
                dir: self.dir.clone(),
                filter: filter.clone(),
                names: others.iter().map(|file| name(file)).collect(),
            }),
        }
    }

    /// Runs the cases, each in its own host.
    ///
    /// # Errors
    ///
    /// The directory contains no cases.
    pub fn run(&self, sample: &Sample) -> Result<TestReport, SuiteError> {
        let mut told = Told::default();
        let cases = self
            .files()?
            .iter()
            .map(|file| {
                let report = self.one(sample, file, &mut told);
                (self.on_case)(&report);
                report
            })
            .collect();
        Ok(TestReport {
            hook: sample.report.id.to_string(),
            component: sample.file.clone(),
            cases,
        })
    }

    fn one(&self, sample: &Sample, file: &Path, told: &mut Told) -> CaseReport {
        let mut report = CaseReport::of(file);
        let case = match Case::read(file) {
            Ok(mut case) => {
                case.setup.trace = self.trace;
                case
            }
            Err(errors) => {
                report.errors = errors.iter().map(CaseError::to_string).collect();
                return report;
            }
        };
        report.about.clone_from(&case.about);
        report.point = Some(case.point);
        let got = match got(sample, &case) {
            Ok(got) => got,
            Err(CannotRun { of_case, of_hook }) => {
                report.errors = of_case;
                report.errors.extend(told.once(&report.name, of_hook));
                return report;
            }
        };
        report.take(&got);
        report.judge(&case, &got);
        if self.update && report.status == Status::Failed && got.problems.is_empty() {
            match rewrite(&case, &got) {
                Ok(()) => report.status = Status::Updated,
                Err(error) => report.errors = vec![format!("{}: {error}", file.display())],
            }
        }
        report
    }
}

/// Runs a case.
fn got(sample: &Sample, case: &Case) -> Result<Got, CannotRun> {
    let points = &sample.report.points;
    if !points.contains(&case.point) {
        let served: Vec<&str> = points.iter().map(|point| point.name()).collect();
        let problem = format!(
            "`{}` does not serve `{}`; it serves: {}",
            sample.report.id,
            case.point,
            served.join(", ")
        );
        let error = case.source.error(&["point"], problem);
        return Err(CannotRun::of_case(&error));
    }
    let in_file =
        |error: &dyn Display| CannotRun::of_case(&format_args!("{}: {error}", case.file.display()));
    let mut fixture = Fixture::new(sample, &case.setup).map_err(|error| match error {
        SampleError::Hooks(HooksError::Load(LoadErrors(errors))) => {
            CannotRun::of_load(case, &errors)
        }
        SampleError::File(_) => in_file(&error),
        other => CannotRun::of_hook(&other),
    })?;
    let given = Given {
        context: case.context.clone(),
        input: &case.input,
        views: &case.views,
        before: case.before.as_ref(),
    };
    play(&mut fixture, case.point, &given).map_err(|e| in_file(&e))
}

fn rewrite(case: &Case, got: &Got) -> Result<(), case::UpdateError> {
    let text = std::fs::read_to_string(&case.file)?;
    let text = case::update(&text, case.expect.as_ref(), got)?;
    std::fs::write(&case.file, text)?;
    Ok(())
}

fn name(file: &Path) -> String {
    portcullis::text::sanitize_for_terminal(&file.file_stem().unwrap_or_default().to_string_lossy())
}

impl CaseReport {
    /// Returns the report of a case that cannot run.
    fn of(file: &Path) -> Self {
        Self {
            name: name(file),
            file: file.to_owned(),
            about: None,
            point: None,
            status: Status::Broken,
            outcome: None,
            cause: None,
            differences: Vec::new(),
            errors: Vec::new(),
            logs: Vec::new(),
            micros: None,
            fuel: None,
            trace: None,
        }
    }

    fn take(&mut self, got: &Got) {
        self.outcome = Some(got.outcome);
        self.cause = got.outcome.cause().map(|cause| cause.code());
        self.micros = u64::try_from(got.took.as_micros()).ok();
        self.fuel = got.fuel;
        self.trace.clone_from(&got.trace);
        let lines = got.fields.get("logs").and_then(Value::as_array);
        let lines = lines.into_iter().flatten().filter_map(Value::as_str);
        self.logs = lines.map(str::to_owned).collect();
    }

    fn judge(&mut self, case: &Case, got: &Got) {
        match &case.expect {
            Some(expect) => {
                self.differences = compare(expect, got);
                self.status = match self.differences.is_empty() {
                    true => Status::Passed,
                    false => Status::Failed,
                };
            }
            None => {
                self.status = Status::Failed;
                self.errors = vec![
                    "it has no [expect]; review the result, and let --update write it".to_owned(),
                ];
                self.differences = case::all(got);
            }
        }
        if !got.problems.is_empty() {
            self.status = Status::Failed;
            let file = case.file.display();
            let problems = got
                .problems
                .iter()
                .map(|problem| format!("{file}: {problem}"));
            self.errors.extend(problems);
        }
        self.redact(&Secrets::of(case.setup.secrets.clone()));
    }

    /// Replaces the case's secrets by their names.
    fn redact(&mut self, secrets: &Secrets) {
        let value = |value: &mut Option<Value>| {
            *value = value.take().map(|value| secrets.redact_json(value))
        };
        for difference in &mut self.differences {
            value(&mut difference.expected);
            value(&mut difference.got);
        }
        for text in self.errors.iter_mut().chain(&mut self.logs) {
            *text = secrets.redact(text).into_owned();
        }
    }
}
