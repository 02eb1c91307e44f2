//! The cases of the examples, which `portcullis test` runs.

use portcullis::hooks::CacheChoice;
use portcullis_tests::{component, root};
use portcullis_workbench::{Sample, SampleOptions, Suite};

#[test]
fn they_are_as_expected() {
    for (id, cases) in [("keyword-filter", 2), ("tool-limiter", 1)] {
        let project = root().join("example-hooks").join(id);
        let options = SampleOptions {
            settings: Some(project.clone()),
            cache: CacheChoice::None,
            ..SampleOptions::default()
        };
        let sample = Sample::open(&component(id), &options).expect("a component");
        let report = Suite::new(&project.join("tests"))
            .run(&sample)
            .expect("cases");
        assert!(report.passed(), "{report:#?}");
        assert_eq!(report.cases.len(), cases, "{id}");
    }
}
