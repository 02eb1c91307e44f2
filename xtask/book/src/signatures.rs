//! What serving a point looks like in each language.

use portcullis::points::PointId;

use crate::text::{pascal, snake};

/// The section of a point's page.
pub(crate) fn section(point: PointId, input: &str) -> String {
    let method = snake(point.name());
    let input = pascal(input);
    format!(
        "\n## In Rust\n\n```rust\nfn {method}(context: Context, input: {method}::{input}) -> HookResult<{method}::Outcome>\n```\n"
    )
}
