//! The handler of a point in each language.

use portcullis::points::PointId;

use crate::text::{camel, pascal, snake};

/// Returns the section of a point's page.
pub(crate) fn section(point: PointId) -> String {
    let (method, handler, name) = (
        snake(point.name()),
        camel(point.name()),
        pascal(point.name()),
    );
    let package = point.name().replace('-', "");
    format!(
        "\n## Signatures\n\n\
         In [Rust](../start/rust.md), a method of the `#[hook]` impl:\n\n\
         ```rust\nfn {method}(call: &{method}::Call) -> HookResult<{method}::Verdict>\n```\n\n\
         In [JavaScript](../start/javascript.md) and [TypeScript](../start/typescript.md), a handler of `defineHook`:\n\n\
         ```ts\n{handler}(context: Facts<Context>, call: {name}Facts): {name}Outcome\n```\n\n\
         In [Python](../start/python.md), a method of the `@hook` class:\n\n\
         ```python\ndef {method}(self, context: Context, call: {name}) -> {name}Outcome\n```\n\n\
         In [C](../start/c.md), a function:\n\n\
         ```c\nbool on_{method}(void)\n```\n\n\
         In [Go](../start/go.md), a function that `{package}.Handle` is given:\n\n\
         ```go\nfunc {handler}(call {package}.Call) error\n```\n"
    )
}
