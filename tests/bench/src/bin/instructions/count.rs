//! Counts instructions: this program starts itself under Valgrind.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use portcullis_project::Language;

use crate::cases::Case;
use crate::play::MEASURED;

/// Returns the reason why nothing can be counted here, if there is one.
pub fn unavailable() -> Option<String> {
    if env::consts::ARCH != "x86_64" {
        return Some("the counts are those of x86-64".to_owned());
    }
    let mut ask = Command::new("valgrind");
    let asked = ask.arg("--version").stdout(Stdio::null()).status();
    match asked.is_ok_and(|status| status.success()) {
        true => None,
        false => Some("there is no valgrind; Debian has it as the package `valgrind`".to_owned()),
    }
}

/// Returns the tools that counts depend on: the compiler, Valgrind, the C library, and the
/// processor that Valgrind shows, for which copies and hooks are compiled or chosen.
pub fn tools() -> anyhow::Result<String> {
    let parts = [
        said(Command::new("rustc").arg("--version"))?,
        said(Command::new("valgrind").arg("--version"))?,
        match cfg!(target_env = "musl") {
            true => "musl".to_owned(),
            false => said(Command::new("getconf").arg("GNU_LIBC_VERSION"))?,
        },
        said(under_valgrind(&["--tool=none"])?.arg("processor"))?,
    ];
    Ok(parts.join(", "))
}

/// Returns the features of the processor that choose code.
pub fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    let features = [
        ("sse4.2", is_x86_feature_detected!("sse4.2")),
        ("popcnt", is_x86_feature_detected!("popcnt")),
        ("avx", is_x86_feature_detected!("avx")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("bmi1", is_x86_feature_detected!("bmi1")),
        ("bmi2", is_x86_feature_detected!("bmi2")),
        ("lzcnt", is_x86_feature_detected!("lzcnt")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let features: [(&str, bool); 0] = [];
    let names = features.iter().filter(|(_, has)| *has);
    names.map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

/// Returns the output of a command.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().display().to_string();
    let ended = command
        .output()
        .with_context(|| format!("cannot start {name}"))?;
    if !ended.status.success() {
        let error = String::from_utf8_lossy(&ended.stderr);
        bail!("{command:?} ended with {}: {error}", ended.status);
    }
    Ok(String::from_utf8_lossy(&ended.stdout).trim().to_owned())
}

/// Returns a command that runs this program under Valgrind.
fn under_valgrind(options: &[&str]) -> anyhow::Result<Command> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--quiet", "--error-exitcode=0"])
        .args(options)
        .arg(env::current_exe()?);
    Ok(valgrind)
}

/// Returns the instructions of one call, for each case of a language.
pub fn count(
    language: Language,
    component: &Path,
    work: &Path,
) -> anyhow::Result<Vec<(String, u64)>> {
    // Compiled under Valgrind too, for the processor that it shows, but with the tool that only
    // runs code.
    run(&["--tool=none"], "load", language, component)?;
    let results = work.join("callgrind");
    let _ = fs::remove_dir_all(&results);
    fs::create_dir_all(&results)?;
    let out = results.join("out");
    let options = [
        "--tool=callgrind".to_owned(),
        "--collect-atstart=no".to_owned(),
        format!("--toggle-collect={MEASURED}"),
        format!("--dump-after={MEASURED}"),
        format!("--callgrind-out-file={}", out.display()),
    ];
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    run(&options, "play", language, component)?;
    let cases = Case::all(language);
    let counts = cases.iter().zip(1..).map(|(case, dump)| {
        let total = total(&PathBuf::from(format!("{}.{dump}", out.display())))?;
        Ok((case.to_string(), total / u64::from(case.calls())))
    });
    counts.collect()
}

fn run(
    options: &[&str],
    command: &str,
    language: Language,
    component: &Path,
) -> anyhow::Result<()> {
    said(
        under_valgrind(options)?
            .args([command, language.name()])
            .arg(component),
    )?;
    Ok(())
}

/// Returns the total at the end of a Callgrind file.
fn total(file: &Path) -> anyhow::Result<u64> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut lines = text.lines();
    let total = lines.find_map(|line| line.strip_prefix("totals: "));
    let total: u64 = total.context("the file has no sum")?.trim().parse()?;
    ensure!(total > 0, "nothing was counted: {}", file.display());
    Ok(total)
}
