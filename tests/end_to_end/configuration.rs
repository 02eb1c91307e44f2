//! Configurations, checked against the schemas of their hooks.

use portcullis::SessionOptions;
use portcullis::points::LlmError;
use portcullis::reload::Reload;
use portcullis::verdict::RunStatus;
use portcullis_tests::{HooksDir, Sample};
use serde_json::Value;

const GRANT: &str = "[hooks.cost-tracker.grants]\nshared-state = [\"costs\"]\n";
const RIGHT: &str = "[hooks.cost-tracker.config]\nbudget_usd = 5.0\n\
                     [hooks.cost-tracker.config.prices.small]\ninput = 1\noutput = 2\n";

fn tracker(settings: &str) -> HooksDir {
    HooksDir::new()
        .with("cost-tracker")
        .settings(&format!("{GRANT}{settings}"))
}

#[test]
fn every_wrong_key_is_named_with_its_line_when_the_hook_is_loaded() {
    let wrong = "[hooks.cost-tracker.config]\nbudget = 5.0\nkey = 3\n\
                 [hooks.cost-tracker.config.prices.small]\ninput = \"free\"\notput = 2\n";
    let error = tracker(wrong)
        .try_load()
        .expect_err("a wrong configuration");
    let error = error.to_string();
    for (line, said) in [
        (4, "unknown key `budget`; did you mean `budget_usd`?"),
        (5, "`config.key`: value is not of type \"string\""),
        (
            6,
            "`config.prices.small.output` is missing, which the hook requires",
        ),
        (
            7,
            "`config.prices.small.input`: value is not of type \"number\"",
        ),
        (8, "unknown key `otput`; did you mean `output`?"),
    ] {
        let expected = format!("hooks.toml:{line}: {said}");
        assert!(error.contains(&expected), "{expected}\n\n{error}");
    }
    assert_eq!(error.lines().count(), 5, "{error}");
}

#[test]
fn a_table_of_a_hook_that_reads_none_is_refused() {
    let error = HooksDir::new()
        .with("tiny")
        .settings("[hooks.tiny.config]\nanswer = \"no\"\n")
        .try_load();
    let error = error.expect_err("a table that nobody reads");
    let said = "hooks.toml:1: the hook `tiny` reads no configuration; remove the table";
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn a_table_that_is_required_is_missed() {
    let error = tracker("").try_load().expect_err("no configuration");
    let said = "cost-tracker.wasm: requires a configuration with `prices`, and has none";
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn a_right_configuration_loads_and_the_report_has_its_schema() {
    let reports = tracker(RIGHT).load().reports();
    let schema = reports[0].config_schema.as_ref().expect("a schema");
    assert_eq!(schema["required"], Value::from(vec!["prices"]));
    assert_eq!(schema["properties"]["key"]["default"], "total");
    let means = &schema["properties"]["prices"]["description"];
    assert_eq!(means, "The prices of models, by name.");
}

#[tokio::test]
async fn what_the_schema_takes_for_an_integer_is_one_to_the_hook() {
    let dir = HooksDir::new().with("provider-fallback");
    let hooks = dir
        .settings(
            "[hooks.provider-fallback.grants]\nstate = true\n\
             [hooks.provider-fallback.config]\nbackoff_ms = 250.0\n",
        )
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut <LlmError as Sample>::sample()).await;
    let status = &verdict.runs[0].status;
    assert!(!matches!(status, RunStatus::Failed { .. }), "{status:?}");
}

#[test]
fn the_configuration_of_a_hook_that_is_disabled_may_be_wrong() {
    tracker("[hooks.cost-tracker]\nenabled = false\n").load();
}

#[test]
fn a_wrong_configuration_leaves_the_hook_as_it_was_loaded() {
    let dir = tracker(RIGHT);
    let hooks = dir.load();
    let wrong = format!("{GRANT}[hooks.cost-tracker.config]\nprices = 3\n");
    dir.put("hooks.toml", wrong.as_bytes());
    let Reload::Done(reloaded) = hooks.reload() else {
        panic!("the settings are read")
    };
    let error = reloaded.errors[0].to_string();
    assert!(error.contains("hooks.toml:4: `config.prices`"), "{error}");
    assert_eq!(reloaded.kept.len(), 1);
    assert!(hooks.reports()[0].enabled);
}
