//! A hook in each language that needs a grant.

use portcullis_project::Language;
use portcullis_tests::HooksDir;

use super::from_nothing::built_once;
use super::hooks_dir;

/// The limits for a language's runtime, which takes time to compile and to start.
pub(super) const PATIENT: &str = "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
     [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n";

const VIEWS: &str = "[hooks.my-hook.grants]\nviews = [\"content\"]\n";

/// Creates a directory with a hook at `pre-turn` with this source and the view `content`, and with
/// more settings.
pub(super) fn loaded(language: Language, (file, source): (&str, &str), settings: &str) -> HooksDir {
    let bytes = built_once(language, &["pre-turn"], &[(file, source)], |_| {});
    let dir = hooks_dir().with_file("my-hook.wasm", &bytes);
    dir.settings(&format!("{PATIENT}{VIEWS}{settings}\n"))
}

/// Creates the same directory with `grant`, a line of its grants, without which the hook does not
/// load: the error suggests `suggested`.
pub(super) fn granted(
    language: Language,
    source: (&str, &str),
    suggested: &str,
    grant: &str,
) -> HooksDir {
    let dir = loaded(language, source, "");
    let errors = dir.try_load().map(drop).expect_err("it has no grant");
    let errors = errors.to_string();
    assert!(errors.contains(suggested), "{errors}");
    dir.settings(&format!("{PATIENT}{VIEWS}{grant}\n"))
}
