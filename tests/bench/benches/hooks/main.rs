//! The speed of a hook: `cargo bench`. The last output is a table of ratios, all of one run.

mod calls;
mod crowd;
mod fresh;
mod kill;
mod load;
mod memory;
mod ratios;
mod rounds;

use criterion::Criterion;

fn main() {
    let results = portcullis_tests::root().join("target").join("criterion");
    let mut criterion = Criterion::default()
        .output_directory(&results)
        .configure_from_args();
    let calls = calls::one_small_call(&mut criterion);
    let newest = calls::newest_message(&mut criterion);
    let fresh = fresh::one_call();
    let cold = load::fifty_hooks(&mut criterion);
    criterion.final_summary();
    ratios::print(&ratios::Run {
        results: &results,
        calls: &calls,
        newest: &newest,
        fresh: &fresh,
        cold,
        memory: memory::bytes_of_a_warm_instance(),
        crowd: crowd::ten_thousand_sessions(),
        kill: kill::past_the_deadline(),
    });
}
