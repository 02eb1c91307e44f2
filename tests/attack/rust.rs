//! Attacks that are hooks in Rust: what its standard library does when it is misused.

use portcullis_attack::Attack;
use portcullis_tests::component;

/// What the hook is told to do, and the card that says what must become of it.
const DEEDS: &[(&str, &str)] = &[
    ("panic-in-a-lock", "cause = [\"trap\"]"),
    ("panic-in-a-drop", "cause = [\"trap\"]"),
    ("format-for-ever", "cause = [\"fuel\", \"deadline\"]"),
    ("allocate", "cause = [\"memory\"]"),
    ("capacity-overflow", "cause = [\"trap\", \"memory\"]"),
    ("forge", "expected = \"survived\""),
    ("exit", "cause = [\"trap\"]"),
    ("abort", "cause = [\"trap\"]"),
    (
        "spin-on-a-lock",
        "cause = [\"trap\", \"fuel\", \"deadline\"]",
    ),
    ("sleep", "cause = [\"deadline\"]\nceiling-ms = 1500"),
    ("thread", "expected = \"survived\""),
    ("environment", "expected = \"survived\""),
    ("deep-json", "cause = [\"guest-error\"]"),
];

/// The hook that reads a file does not load.
const FILE_READER: &str =
    "what = \"Reads a file: it is given no directory, so there is none.\"\nexpected = \"survived\"";

/// The attacks. The first one builds the hooks.
pub fn attacks() -> Vec<Attack> {
    let hostile = std::fs::read(component("hostile")).expect("a component");
    let reader = std::fs::read(component("file-reader")).expect("a component");
    let mut attacks: Vec<Attack> = DEEDS
        .iter()
        .map(|(deed, says)| {
            let card = format!(
                "what = \"The deed `{deed}`, in Rust.\"\n{says}\n\
                 settings = '''\n[hooks.hostile.config]\ndeed = \"{deed}\"\n'''"
            );
            attack(&format!("rust/{deed}"), &card, hostile.clone())
        })
        .collect();
    attacks.push(attack("rust/file-reader", FILE_READER, reader));
    attacks
}

fn attack(path: &str, card: &str, component: Vec<u8>) -> Attack {
    let comment: String = card.lines().map(|line| format!(";; {line}\n")).collect();
    Attack::of_component(path, &comment, component).expect("a card")
}
