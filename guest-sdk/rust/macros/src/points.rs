//! The names of the lifecycle points, as the contract has them.

const WORLDS: &str = include_str!("worlds.wit");

/// Returns every lifecycle point, in the contract's order.
pub fn names() -> impl Iterator<Item = &'static str> {
    WORLDS
        .lines()
        .filter_map(|line| line.strip_prefix("world on-")?.strip_suffix(" {"))
}

/// Returns the point that a method of this name serves.
pub fn of_method(method: &str) -> Option<&'static str> {
    names().find(|point| method_of(point) == method)
}

/// Returns the names that methods may have.
pub fn methods() -> impl Iterator<Item = String> {
    names().map(method_of)
}

fn method_of(point: &str) -> String {
    point.replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::{names, of_method};

    #[test]
    fn the_points_are_read_from_the_contract() {
        assert_eq!(names().next(), Some("session-start"));
        assert!(names().any(|point| point == "pre-llm-call"));
    }

    #[test]
    fn a_method_is_named_like_its_point() {
        assert_eq!(of_method("pre_llm_call"), Some("pre-llm-call"));
        assert_eq!(of_method("pre-llm-call"), None);
    }
}
