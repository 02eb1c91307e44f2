use super::{POINTS, of_method};

#[test]
fn every_point_of_the_contract_is_known() {
    let worlds = include_str!("../../../../wit/worlds.wit");
    let contract: Vec<_> = worlds
        .lines()
        .filter_map(|line| line.strip_prefix("world on-")?.strip_suffix(" {"))
        .collect();
    assert_eq!(POINTS, contract);
}

#[test]
fn a_method_is_named_like_its_point() {
    assert_eq!(of_method("pre_llm_call"), Some("pre-llm-call"));
    assert_eq!(of_method("pre-llm-call"), None);
}
