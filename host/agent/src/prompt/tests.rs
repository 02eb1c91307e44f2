use portcullis::HookId;
use proptest::prelude::*;

use super::*;

/// Returns a section: order, text, own limit, essential.
fn section(
    id: &str,
    order: i32,
    text: &str,
    max_tokens: Option<u32>,
    essential: bool,
) -> Contributed<PromptSection> {
    Contributed {
        by: HookId::from("h"),
        value: PromptSection {
            id: id.into(),
            title: None,
            text: text.into(),
            order,
            max_tokens,
            essential,
        },
    }
}

fn cuts(compiled: &Compiled) -> Vec<(&str, u64, u64, CutReason)> {
    let cuts = compiled.cuts.iter();
    cuts.map(|cut| {
        (
            cut.section.as_str(),
            cut.tokens_before,
            cut.tokens_after,
            cut.why,
        )
    })
    .collect()
}

#[test]
fn sections_are_sorted_by_order() {
    let mut titled = section("t", 0, "body", None, false);
    titled.value.title = Some("A\ntitle".into());
    let sections = [
        section("c", 5, "c", None, false),
        section("b", 1, "b", None, true),
        section("d", 5, "d", None, false),
        section("blank", 2, " \n", None, true),
        titled,
    ];
    let compiled = compile(&sections, 100);
    assert_eq!(compiled.text, "## A title\nbody\n\nb\n\nc\n\nd");
    assert_eq!((compiled.sections, compiled.tokens()), (4, 6));
    assert_eq!(compiled.cuts, []);
}

#[test]
fn cuts_in_the_stated_order() {
    use CutReason::{Budget, OwnLimit};
    let ten = "0123456789012345678901234567890123456789";
    let two = |essential| {
        vec![
            section("a", 1, ten, None, essential),
            section("b", 2, ten, None, false),
        ]
    };
    for (name, sections, budget, expected) in [
        ("all fits", two(false), 21, vec![]),
        (
            "the last is cut",
            two(false),
            15,
            vec![("b", 10, 5, Budget)],
        ),
        (
            "the last is dropped, the one before is cut",
            two(false),
            8,
            vec![("b", 10, 0, Budget), ("a", 10, 8, Budget)],
        ),
        (
            "essential ones go last",
            vec![
                section("a", 1, ten, None, false),
                section("b", 2, ten, None, true),
            ],
            10,
            vec![("a", 10, 0, Budget)],
        ),
        (
            "but they go",
            two(true),
            5,
            vec![("b", 10, 0, Budget), ("a", 10, 5, Budget)],
        ),
        (
            "an own limit comes first",
            vec![section("a", 1, ten, Some(4), true)],
            100,
            vec![("a", 10, 4, OwnLimit)],
        ),
        (
            "nothing fits",
            two(true),
            1,
            vec![("b", 10, 0, Budget), ("a", 10, 0, Budget)],
        ),
    ] {
        let compiled = compile(&sections, budget);
        assert_eq!(cuts(&compiled), expected, "{name}: {}", compiled.text);
        assert!(compiled.tokens() <= budget, "{name}");
        let marks = expected.iter().filter(|cut| cut.2 > 0).count();
        assert_eq!(compiled.text.matches("[cut]").count(), marks, "{name}");
    }
}

fn any_section() -> impl Strategy<Value = Contributed<PromptSection>> {
    (
        "[a-z]{1,3}",
        -3..3_i32,
        "[a-zäö☺ \n]{0,120}",
        proptest::option::of(0..20_u32),
        any::<bool>(),
        proptest::option::of("[A-Z\n ]{0,8}"),
    )
        .prop_map(|(id, order, text, limit, essential, title)| {
            let mut section = section(&id, order, &text, limit, essential);
            section.value.title = title;
            section
        })
}

proptest! {
    #[test]
    fn never_over_the_budget(
        sections in proptest::collection::vec(any_section(), 0..8),
        budget in 0..120_u64,
    ) {
        let compiled = compile(&sections, budget);
        prop_assert!(compiled.tokens() <= budget);
    }

    #[test]
    fn no_cut_without_need(sections in proptest::collection::vec(any_section(), 0..8)) {
        let mut free = sections.clone();
        for section in &mut free {
            section.value.max_tokens = None;
        }
        let whole = compile(&free, u64::MAX);
        prop_assert_eq!(&whole.cuts, &[]);
        prop_assert_eq!(&compile(&free, whole.tokens()), &whole);
        for cut in compile(&sections, u64::MAX).cuts {
            prop_assert_eq!(cut.why, CutReason::OwnLimit);
            prop_assert!(cut.tokens_after < cut.tokens_before);
        }
    }

    #[test]
    fn the_order_is_kept_and_every_loss_is_recorded(
        orders in proptest::collection::vec((-3..3_i32, any::<bool>()), 0..8),
        budget in 0..60_u64,
    ) {
        let sections: Vec<_> = orders
            .iter()
            .enumerate()
            .map(|(n, (order, essential))| {
                section(&format!("<{n}>"), *order, &format!("<{n}> and more text"), None, *essential)
            })
            .collect();
        let compiled = compile(&sections, budget);
        let mut sorted: Vec<_> = sections.iter().collect();
        sorted.sort_by_key(|section| section.value.order);
        let mut from = 0;
        for section in sorted {
            let whole = compiled.text.contains(&section.value.text);
            let cut = compiled.cuts.iter().any(|cut| cut.section == section.value.id);
            prop_assert!(whole != cut, "{} in {}", section.value.id, compiled.text);
            if let Some(at) = compiled.text.find(&section.value.id) {
                prop_assert!(at >= from, "{}", compiled.text);
                from = at;
            }
        }
    }

    #[test]
    fn essential_sections_are_cut_last(
        sections in proptest::collection::vec(any_section(), 0..8),
        budget in 0..120_u64,
    ) {
        let mut sections = sections;
        for (n, section) in sections.iter_mut().enumerate() {
            section.value.id = n.to_string();
            section.value.max_tokens = None;
        }
        let compiled = compile(&sections, budget);
        let is_essential = |cut: &SectionCut| {
            sections.iter().any(|section| section.value.id == cut.section && section.value.essential)
        };
        if compiled.cuts.iter().any(is_essential) {
            for section in sections.iter().filter(|section| !section.value.essential) {
                let dropped = compiled
                    .cuts
                    .iter()
                    .any(|cut| cut.section == section.value.id && cut.tokens_after == 0);
                prop_assert!(dropped || section.value.text.trim().is_empty());
            }
        }
    }
}
