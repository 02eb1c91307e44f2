use quote::quote;

use super::Descriptor;

/// Returns the error that these arguments give.
fn fault(arguments: proc_macro2::TokenStream) -> String {
    match Descriptor::parse(arguments) {
        Ok(_) => "no error".to_owned(),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn everything_can_be_declared() {
    let descriptor = Descriptor::parse(quote! {
        id = "input-guardrail", description = "Refuses.", kind = "guardrail",
        priority = -10, failure = closed, deadline_ms = 250, execution = fire_and_record,
        after = ["audit-log", "path-jail"],
    })
    .expect("a correct declaration");
    assert_eq!(descriptor.id.value(), "input-guardrail");
    assert_eq!(descriptor.priority, Some(-10));
    assert_eq!(descriptor.failure.expect("a policy"), "FailClosed");
    assert_eq!(descriptor.deadline_ms, Some(250));
    assert_eq!(descriptor.execution.expect("a policy"), "FireAndRecord");
    assert_eq!(descriptor.after.len(), 2);
}

#[test]
fn what_is_missing_is_named() {
    let id = fault(quote!(description = "x"));
    assert_eq!(id, "`#[hook]` needs id = \"my-hook\"");
    assert!(fault(quote!(id = "x")).contains("needs description"));
}

#[test]
fn an_unknown_key_gets_the_nearest_one() {
    let fault = fault(quote!(id = "x", descripton = "x"));
    assert!(fault.starts_with("`#[hook]` knows no `descripton`; did you mean `description`?"));
}

#[test]
fn a_key_may_be_given_once() {
    assert_eq!(fault(quote!(id = "x", id = "y")), "`id` is given twice");
}

#[test]
fn wrong_values_are_explained() {
    let cases = [
        (
            quote!(id = "My Hook"),
            "an id is made of lower-case letters, digits and dashes",
        ),
        (quote!(id = ""), "this must not be empty"),
        (quote!(id = 3), "expected a string in quotes"),
        (
            quote!(failure = opened),
            "expected one of: open, closed; did you mean `open`?",
        ),
        (quote!(failure = "open"), "expected one of: open, closed"),
        (
            quote!(priority = 1.5),
            "expected a whole number from -2147483648 to 2147483647",
        ),
        (
            quote!(deadline_ms = 0),
            "expected a time in milliseconds, from 1 to 4294967295",
        ),
        (
            quote!(after = "x"),
            "expected a list of ids, such as [\"path-jail\"]",
        ),
        (
            quote!(after = ["A"]),
            "an id is made of lower-case letters, digits and dashes",
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(fault(arguments), expected);
    }
}

#[test]
fn a_hook_is_not_after_itself() {
    let fault = fault(quote!(id = "x", description = "x", after = ["x"]));
    assert_eq!(fault, "a hook cannot run after itself");
}
