//! The imports' bindings. The points' are in [`crate::points`], one world for each.
#![allow(missing_docs)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "capabilities",
    generate_all,
    generate_unused_types: true,
    additional_derives: [PartialEq],
});
