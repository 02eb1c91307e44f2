//! The guards' descriptions and configuration schemas, and the examples in them.

use portcullis::points::PointId;
use portcullis::verdict::RunStatus;
use portcullis::{Session, SessionOptions};
use portcullis_tests::{AtPoint, HooksDir, Sample, at, component, root};
use serde_json::Value;
use xtask::guards::{Guard, guards};

/// Returns the grants that a guard needs to load.
fn grants(guard: &Guard) -> &'static str {
    match guard.name {
        "spend-limit" => "grants = { state = true, shared-state = [\"spend\"] }\n",
        "rate-limit" => "grants = { state = true, shared-state = [\"rates\"] }\n",
        _ => "",
    }
}

fn directory(guard: &Guard, config: &str) -> HooksDir {
    let file = guard.component.file_name().and_then(|name| name.to_str());
    let bytes = std::fs::read(&guard.component).expect("the guard");
    let settings = format!("[hooks.{}]\n{}{config}", guard.name, grants(guard));
    HooksDir::new()
        .with_file(file.expect("a name"), &bytes)
        .settings(&settings)
}

fn license() -> String {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    let license = manifest["workspace"]["package"]["license"].as_str();
    license.expect("a licence").to_owned()
}

#[tokio::test]
async fn each_names_its_licence_and_gives_examples_of_its_configuration_that_work() {
    // Builds all guards.
    component("tiny");
    let license = license();
    for guard in guards(&root()) {
        let name = guard.name;
        let reports = directory(&guard, "").load().reports();
        let report = reports.first().unwrap_or_else(|| panic!("{name}"));
        assert_eq!(report.about.license.as_ref(), Some(&license), "{name}");
        assert_eq!(report.about.left_out, [] as [&str; 0], "{name}");
        let schema = report.config_schema.as_ref();
        let examples = schema.and_then(|schema| schema["examples"].as_array());
        let examples = examples.map_or(&[][..], Vec::as_slice);
        assert!(!examples.is_empty(), "{name} gives no example");
        for example in examples {
            works(&guard, example).await;
        }
    }
}

/// Checks that the example fits the schema, and that the guard works with it.
async fn works(guard: &Guard, example: &Value) {
    let config = toml::to_string(example).expect("an example is a table");
    let config = config.parse::<toml::Table>().expect("TOML");
    let config = format!("config = {}\n", toml::Value::Table(config));
    let hooks = directory(guard, &config).load();
    let session = hooks.session(SessionOptions::new("test"));
    for point in PointId::ALL {
        let run = at(*point, Run(&session));
        if let Some(run) = run {
            let status = run.await;
            assert!(
                !matches!(status, RunStatus::Failed { .. }),
                "{} at {point} with {example}: {status:?}",
                guard.name
            );
        }
    }
}

struct Run<'a>(&'a Session);

impl<'a> AtPoint for Run<'a> {
    type Output = Option<std::pin::Pin<Box<dyn Future<Output = RunStatus> + 'a>>>;

    fn at<P: Sample>(self) -> Self::Output {
        self.0.serves::<P>().then(|| {
            let session = self.0;
            let run = async move {
                let mut call = P::sample();
                let verdict = session.run(&mut call).await;
                verdict.runs[0].status.clone()
            };
            Box::pin(run) as _
        })
    }
}
