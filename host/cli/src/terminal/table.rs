//! Tables: columns without lines, as wide as the terminal at most.

use comfy_table::{ContentArrangement, Table, presets};

/// An empty table with these columns.
pub fn table(columns: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(super::width()).unwrap_or(u16::MAX))
        // `anstream` removes the colours where the output is not a terminal.
        .force_no_tty()
        .enforce_styling()
        .set_header(columns.iter().map(|name| name.to_uppercase()));
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table
}
