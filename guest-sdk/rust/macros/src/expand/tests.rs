use quote::quote;

use super::hook;

#[test]
fn it_belongs_on_an_impl_block() {
    let descriptor = quote!(id = "x", description = "x");
    let fault = hook(
        descriptor,
        quote!(
            struct Hook;
        ),
    )
    .expect_err("a struct is no impl block");
    assert_eq!(fault.to_string(), "`#[hook]` belongs on an impl block");
}

#[test]
fn the_hook_is_a_plain_name() {
    let descriptor = quote!(id = "x", description = "x");
    let block = quote!(impl module::Hook { fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {} });
    let fault = hook(descriptor, block).expect_err("a path is no plain name");
    assert_eq!(
        fault.to_string(),
        "expected the name of a struct declared beside this"
    );
}

#[test]
fn only_served_points_are_exported() {
    let descriptor = quote!(id = "x", description = "x");
    let block = quote!(impl Hook { fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {} });
    let expansion = hook(descriptor, block).expect("a hook").to_string();
    assert!(expansion.contains("points :: pre_turn :: bindings :: export !"));
    assert!(expansion.contains("descriptor :: bindings :: export !"));
    assert!(!expansion.contains("post_turn"));
}
