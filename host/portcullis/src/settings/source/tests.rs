use super::*;
use crate::settings::file::File;

#[test]
fn every_value_of_a_wrong_type_is_found_in_one_go() {
    let text = "[engine]\ntick-ms = \"fast\"\n[hooks.a]\npriority = 1.5\nrole = \"gat\"\n\
                    limits = { fuel = [], deadline-ms = true }\npriorty = 2\n[scripts.b]\n\
                    command = \"sh\"\npoints = [\"pre-turn\", 7]\n[secrets]\nKEY = 3\n";
    let errors = TomlSource::new(Path::new("hooks.toml"), text)
        .read::<File>()
        .unwrap_err();
    let lines: Vec<usize> = errors.iter().filter_map(|error| error.line).collect();
    assert_eq!(lines, [2, 4, 5, 6, 6, 7, 9, 10, 12], "{errors:#?}");
    for (error, key) in [(0, "`tick-ms`: "), (1, "`priority`: "), (7, "`points`: ")] {
        let problem = &errors[error].problem;
        assert!(problem.starts_with(key), "{problem}");
    }
    assert!(
        errors[2].problem.contains("did you mean `gate`?"),
        "{errors:#?}"
    );
}

#[test]
fn text_that_is_not_toml_is_one_error() {
    let errors = TomlSource::new(
        Path::new("hooks.toml"),
        "[hooks
",
    )
    .read::<File>();
    assert_eq!(errors.unwrap_err().len(), 1);
}

/// Returns texts with this many mistakes, one text for each kind of mistake that can occur
/// thousands of times.
fn mistakes(mistakes: usize) -> [String; 5] {
    let many = |line: fn(usize) -> String| (0..mistakes).map(line).collect();
    [
        many(|n| format!("k{n} = 1\n")),
        many(|n| format!("[hooks.h{n}]\npriorty = 1\n")),
        many(|n| format!("[hooks.h{n}]\npriority = true\n")),
        many(|n| format!("[hooks.h{n}.limits]\nfuel = -1\n")),
        many(|n| format!("[secrets.s{n}]\n")),
    ]
}

fn errors_of(text: &str) -> Vec<SettingsError> {
    let parsed = crate::settings::Settings::parse(Path::new("hooks.toml"), text);
    parsed.expect_err("mistakes")
}

#[test]
fn many_mistakes_are_counted_and_not_all_told() {
    let long = format!("[engine]\n{} = 1\n", "x".repeat(900_000));
    for text in mistakes(10_000).into_iter().chain([long]) {
        let errors = errors_of(&text);
        assert!(errors.len() <= 51, "{}", errors.len());
        if errors.len() > 1 {
            assert!(errors.iter().take(50).all(|error| error.line.is_some()));
            let last = &errors.last().expect("errors").problem;
            assert!(last.contains(" more"), "{last}");
        }
        let told: usize = errors.iter().map(|error| error.to_string().len()).sum();
        assert!(told < 100_000, "{told}");
    }
}

#[test]
fn four_times_as_many_mistakes_are_no_more_than_five_times_as_many_steps() {
    for (few, many) in mistakes(200).into_iter().zip(mistakes(800)) {
        let [few, many] = [few, many].map(|text| steps::of(|| drop(errors_of(&text))));
        assert!(few > 200 && many <= 5 * few, "{few} steps, then {many}");
    }
}
