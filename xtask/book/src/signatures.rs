//! What serving a point looks like in each language.

use portcullis::points::PointId;

use crate::text::{camel, pascal, snake};

/// The section of a point's page.
pub(crate) fn section(point: PointId, input: &str) -> String {
    let (method, handler, outcome) = (
        snake(point.name()),
        camel(point.name()),
        format!("{}Outcome", pascal(point.name())),
    );
    let input = pascal(input);
    format!(
        "\n## Signatures\n\n\
         In [Rust](../start/rust.md), a method of the `#[hook]` impl:\n\n\
         ```rust\nfn {method}(context: Context, input: {method}::{input}) -> HookResult<{method}::Outcome>\n```\n\n\
         In [JavaScript](../start/javascript.md) and [TypeScript](../start/typescript.md), a handler of `defineHook`:\n\n\
         ```ts\n{handler}(context: Context, input: Points[\"{handler}\"][\"input\"]): {outcome}\n```\n\n\
         In [Python](../start/python.md), a method of the `@hook` class:\n\n\
         ```python\ndef {method}(self, context: Context, input) -> {outcome}\n```\n"
    )
}
