//! Every test program of the workspace is in one stage.

use std::collections::BTreeMap;

use xtask::test::lanes;
use xtask::test::stages::STAGES;
use xtask::{cargo, root};

#[test]
fn every_test_program_is_in_one_stage() {
    let mut metadata = cargo(&root());
    metadata.args(["metadata", "--no-deps", "--format-version", "1", "--locked"]);
    let output = metadata.output().unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut programs = BTreeMap::new();
    let mut others = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        for target in package["targets"].as_array().unwrap() {
            if target["kind"][0] == "test" {
                let names = [&package["name"], &target["name"]];
                let [package, target] = names.map(|name| name.as_str().unwrap().to_owned());
                programs.insert((package, target), 0);
            } else if ["lib", "bin"].iter().any(|kind| target["kind"][0] == *kind) {
                others.push(target["name"].as_str().unwrap().replace('-', "_"));
            }
        }
    }
    assert!(programs.len() > 10, "{programs:?}");
    for part in STAGES.iter().flat_map(|stage| stage.parts) {
        let after = |flag: &str| -> Vec<&str> {
            let pairs = part.windows(2);
            let pairs = pairs.filter(|pair| pair[0] == flag);
            pairs.map(|pair| pair[1]).collect()
        };
        for package in after("-p") {
            for target in after("--test") {
                let key = (package.to_owned(), target.to_owned());
                *programs
                    .get_mut(&key)
                    .unwrap_or_else(|| panic!("no test {key:?}")) += 1;
            }
        }
    }
    for name in lanes::second() {
        let of_name = programs.keys().filter(|(_, target)| target == name).count();
        assert_eq!(of_name, 1, "a lane is chosen by the name {name}");
        assert!(!others.iter().any(|other| other == name), "{name}");
    }
    programs.retain(|_, stages| *stages != 1);
    assert!(programs.is_empty(), "not in one stage: {programs:?}");
}
