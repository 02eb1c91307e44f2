use super::{WORLDS, llm_error, post_turn, pre_tool_call, pre_turn};
use crate::types::{ContentPart, Rejection};

#[test]
fn every_point_of_the_contract_has_a_module() {
    let contract: Vec<_> = include_str!("../../../../wit/worlds.wit")
        .lines()
        .filter_map(|line| line.strip_prefix("world ")?.strip_suffix(" {"))
        .filter(|world| world.starts_with("on-"))
        .collect();
    assert_eq!(WORLDS, contract);
}

#[test]
fn a_refusal_takes_two_words() {
    let expected = Rejection {
        code: "over-budget".into(),
        reason: "The budget is spent.".into(),
        details: None,
    };
    assert_eq!(
        pre_turn::Outcome::reject("over-budget", "The budget is spent."),
        pre_turn::Outcome::Reject(expected),
    );
}

#[test]
fn a_text_is_content() {
    let content = vec![ContentPart::Text("Hello".into())];
    assert_eq!(
        post_turn::Outcome::transform_text("Hello"),
        post_turn::Outcome::Transform(content.clone()),
    );
    assert_eq!(
        pre_turn::Outcome::answer_text("Hello"),
        pre_turn::Outcome::Answer(content),
    );
}

#[test]
fn arguments_are_written_as_json() {
    let outcome = pre_tool_call::Outcome::transform_arguments(&[("path", 1)]);
    assert_eq!(
        outcome.expect("a list can be JSON"),
        pre_tool_call::Outcome::Transform(r#"[["path",1]]"#.into()),
    );
}

#[test]
fn switching_leaves_the_model_to_the_provider() {
    let llm_error::Outcome::Replace(llm_error::RetryDecision::SwitchProvider(choice)) =
        llm_error::Outcome::switch_to("backup")
    else {
        panic!("switching is a decision");
    };
    assert_eq!((choice.provider.as_str(), choice.model), ("backup", None));
}
