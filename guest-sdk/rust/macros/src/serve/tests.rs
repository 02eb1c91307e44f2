use quote::quote;

use super::points;

/// Returns the faults of this block, in order.
fn faults(block: proc_macro2::TokenStream) -> Vec<String> {
    let block = syn::parse2(block).expect("an impl block");
    match points(&block) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.into_iter().map(|fault| fault.to_string()).collect(),
    }
}

#[test]
fn each_method_is_a_point() {
    let block = syn::parse2(quote! {
        impl Hook {
            fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {}
            fn post_tool_call(call: &Call) -> HookResult<Verdict> {}
        }
    })
    .expect("an impl block");
    let served = points(&block).expect("two points");
    let names: Vec<_> = served.iter().map(|served| served.point).collect();
    assert_eq!(names, ["pre-turn", "post-tool-call"]);
}

#[test]
fn a_mistyped_point_gets_the_nearest_one() {
    let faults = faults(quote!(impl Hook { fn pre_trun(call: &pre_turn::Call) {} }));
    assert!(faults[0].starts_with("`pre_trun` is not a lifecycle point; did you mean `pre_turn`?"));
    assert!(faults[0].ends_with("helper functions go in another impl block"));
}

#[test]
fn every_fault_is_reported() {
    let faults = faults(quote! {
        impl Hook {
            const LIMIT: u32 = 1;
            fn help() {}
            fn pre_turn(&self) {}
            async fn post_turn(call: &Call) {}
            fn turn_error(context: Context, input: Input) {}
        }
    });
    let expected = [
        "only points go in here; put this into another impl block",
        "`help` is not a lifecycle point",
        "a point takes no self; a point is written fn pre_turn(call: &pre_turn::Call) ",
        "a point cannot be async",
        "a point takes one argument",
    ];
    assert_eq!(faults.len(), expected.len());
    for (fault, expected) in faults.iter().zip(expected) {
        assert!(fault.starts_with(expected), "{fault}");
    }
}

#[test]
fn a_hook_serves_something() {
    assert!(faults(quote!(impl Hook {}))[0].starts_with("this hook serves no point"));
}

#[test]
fn the_block_has_no_trait_and_no_generics() {
    let with_trait = faults(quote!(impl Guest for Hook {}));
    assert_eq!(
        with_trait,
        ["`#[hook]` belongs on an impl block without a trait"]
    );
    assert_eq!(
        faults(quote!(
            impl<T> Hook<T> {}
        )),
        ["a hook cannot be generic"]
    );
}
