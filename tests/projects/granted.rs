//! A hook in each language that needs a grant.

use std::fs;

use portcullis_project::Language;
use portcullis_tests::HooksDir;

use super::from_nothing::{make, options, point};

/// A hook at `pre-turn` with this source and the view `content`. Without `grant`, a line of its grants, it does not
/// load, and the error suggests `suggested`.
pub(super) fn granted(
    language: Language,
    (file, source): (&str, &str),
    suggested: &str,
    grant: &str,
) -> HooksDir {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), language, vec![point("pre-turn")]);
    fs::write(dir.path().join(file), source).expect("the source");
    let component = project.build_with(&options(), &mut |_| {});
    let component = component.unwrap_or_else(|error| panic!("{language}: {error}"));
    let bytes = fs::read(component).expect("the component");
    let dir = HooksDir::new().with_file("my-hook.wasm", &bytes);
    // A language's runtime takes time to compile and to start.
    let patient = "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
                   [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n";
    let views = "[hooks.my-hook.grants]\nviews = [\"content\"]\n";

    let dir = dir.settings(&format!("{patient}{views}"));
    let errors = dir.try_load().map(drop).expect_err("it has no grant");
    let errors = errors.to_string();
    assert!(errors.contains(suggested), "{errors}");
    dir.settings(&format!("{patient}{views}{grant}\n"))
}
