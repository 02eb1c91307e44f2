//! How fast a hook is: `cargo bench`. The last thing printed is a table of ratios, all of one run.

mod baseline;
mod calls;
mod kill;
mod load;
mod memory;
mod ratios;

use criterion::Criterion;

fn main() {
    let results = portcullis_tests::root().join("target").join("criterion");
    let mut criterion = Criterion::default()
        .output_directory(&results)
        .configure_from_args();
    calls::one_small_call(&mut criterion);
    calls::newest_message(&mut criterion);
    load::fifty_hooks(&mut criterion);
    criterion.final_summary();
    let memory = memory::bytes_of_a_warm_instance();
    let kill = kill::past_the_deadline();
    ratios::print(&results, memory, &kill);
}
