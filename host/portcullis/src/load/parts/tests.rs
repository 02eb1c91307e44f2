use super::*;

/// Returns a component of a few hundred bytes with `levels` nested components, each of which
/// instantiates the one before it twice.
fn doubling(levels: usize) -> Vec<u8> {
    let mut text =
        "(component (component $c0 (core module $m) (core instance (instantiate $m)))".to_owned();
    for level in 1..=levels {
        let before = level - 1;
        text += &format!(
            "(component $c{level} (instance (instantiate $c{before})) (instance (instantiate $c{before})))"
        );
    }
    wat::parse_str(text + &format!("(instance (instantiate $c{levels})))")).expect("a component")
}

#[test]
fn what_is_instantiated_twice_counts_twice() {
    assert_eq!(count(&doubling(5)).expect("few").instances, 32);
    let component = doubling(24);
    assert!(component.len() < 2_000, "{}", component.len());
    let fault = count(&component).expect_err("many");
    assert!(
        matches!(
            fault,
            LoadFault::TooComplex {
                most: MOST_DEFINITIONS,
                ..
            }
        ),
        "{fault}"
    );
}

#[test]
fn a_component_that_is_passed_on_is_refused_since_it_can_double_too() {
    for text in [
        "(component (import \"c\" (component $c)) (instance (instantiate $c)))",
        "(component (component $c) (export \"c\" (component $c)))",
        "(component (component $c) (component $d (import \"c\" (component)))
           (instance (instantiate $d (with \"c\" (component $c)))))",
        "(component (component $c) (instance (export \"c\" (component $c))))",
        "(component (import \"i\" (instance $i (export \"c\" (component)))) (alias export $i \"c\" (component)))",
    ] {
        let bytes = wat::parse_str(text).expect("a component");
        let fault = count(&bytes).expect_err(text);
        assert!(
            matches!(fault, LoadFault::TooComplex { most: 0, .. }),
            "{fault}"
        );
    }
}

#[test]
fn components_and_types_are_not_nested_without_end() {
    let nested = |depth: usize| {
        let text = "(component ".repeat(depth) + &")".repeat(depth);
        wat::parse_str(text).expect("a component")
    };
    assert!(count(&nested(MOST_NESTING)).is_ok());
    assert!(count(&nested(MOST_NESTING + 1)).is_err());
    let types = |depth: usize| {
        let mut section = vec![1];
        section.extend([0x42, 1, 1].repeat(depth - 1));
        section.extend([0x42, 0]);
        let mut size = Vec::new();
        let mut left = section.len();
        while left >= 0x80 {
            size.push((left & 0x7f) as u8 | 0x80);
            left >>= 7;
        }
        size.push(left as u8);
        [&b"\0asm\x0d\0\x01\0\x07"[..], &size, &section].concat()
    };
    assert!(count(&types(MOST_TYPE_NESTING)).is_ok());
    for depth in [MOST_TYPE_NESTING + 1, 1_000_000] {
        let fault = count(&types(depth)).expect_err("deep");
        assert!(
            matches!(
                fault,
                LoadFault::TooComplex {
                    most: MOST_TYPE_NESTING,
                    ..
                }
            ),
            "{fault}"
        );
    }
}

#[test]
fn what_is_not_valid_is_left_to_the_compiler() {
    let whole = doubling(3);
    for end in 0..whole.len() {
        assert!(count(&whole[..end]).is_ok());
    }
}
