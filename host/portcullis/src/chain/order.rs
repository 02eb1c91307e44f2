//! The order of hooks at every point: explicit dependencies first, then priority, then id. Capped
//! hooks run after all others.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::text::{nearest, sanitize_for_terminal};
use crate::model::points::{Order, PointId, PointSet};

/// The indexes of the hooks of every served point, in the order they run.
pub(crate) type Orders = BTreeMap<PointId, Vec<usize>>;

/// The facts of a hook that decide its order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) id: &'a str,
    pub(crate) enabled: bool,
    /// Whether the hook runs after all hooks that are not capped.
    pub(crate) capped: bool,
    pub(crate) priority: i32,
    pub(crate) after: &'a [String],
    pub(crate) points: &'a PointSet,
}

/// An error in the order, and the hook that it is about.
#[derive(Debug)]
pub(crate) struct OrderFault {
    pub(crate) hook: String,
    pub(crate) error: OrderError,
}

/// The reason why hooks have no order, and the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// Another hook has the same id.
    #[error("has the id `{id}`, which another hook has too; rename one of the two")]
    TakenId {
        /// The id.
        id: String,
    },
    /// A hook that must run before this one is missing.
    #[error("runs after `{missing}`, which {why}{hint}")]
    MissingDependency {
        /// The hook that is missing.
        missing: String,
        /// The reason, and the fix.
        why: &'static str,
        /// A suggestion for the intended name.
        hint: String,
    },
    /// The dependencies form a cycle.
    #[error("waits for itself at {point}: {}; remove one `after`", cycle.join(" runs after "))]
    Cycle {
        /// The point.
        point: PointId,
        /// The ids of the hooks in the cycle; the last is the first again.
        cycle: Vec<String>,
    },
}

/// Orders all enabled hooks at all points.
pub(crate) fn orders(entries: &[Entry<'_>]) -> (Orders, Vec<OrderFault>) {
    let mut faults = twice(entries);
    faults.extend(missing(entries));
    let mut orders = Orders::new();
    for &point in PointId::ALL {
        let serving: Vec<(usize, Entry<'_>)> = entries
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, entry)| entry.enabled && entry.points.contains(point))
            .collect();
        if serving.is_empty() {
            continue;
        }
        match order(serving, point.info().order) {
            Ok(order) => {
                orders.insert(point, order);
            }
            Err(cycle) => {
                // The same cycle occurs at every point that its hooks share.
                let known = faults.iter().any(|fault| {
                    matches!(&fault.error, OrderError::Cycle { cycle: c, .. } if *c == cycle)
                });
                if !known {
                    faults.push(OrderFault {
                        hook: cycle.first().cloned().unwrap_or_default(),
                        error: OrderError::Cycle { point, cycle },
                    });
                }
            }
        }
    }
    (orders, faults)
}

/// Returns errors for duplicate ids. Duplicates among files are found at load.
fn twice(entries: &[Entry<'_>]) -> Vec<OrderFault> {
    let mut seen = BTreeSet::new();
    entries
        .iter()
        .filter(|entry| !seen.insert(entry.id))
        .map(|entry| OrderFault {
            hook: entry.id.to_owned(),
            error: OrderError::TakenId {
                id: entry.id.to_owned(),
            },
        })
        .collect()
}

/// Returns the dependencies on hooks that are missing, are disabled, or share no point.
fn missing(entries: &[Entry<'_>]) -> Vec<OrderFault> {
    let mut faults = Vec::new();
    for entry in entries.iter().filter(|entry| entry.enabled) {
        for name in entry.after {
            let other = entries.iter().find(|other| other.id == *name);
            let why = match other {
                None => "is not in the hooks directory; add it, or remove it from `after`",
                Some(other) if !other.enabled => {
                    "is disabled; enable it, or remove it from `after`"
                }
                // The capped hook would have to run ahead of named hooks.
                Some(other) if other.capped && !entry.capped => {
                    "is not named in hooks.toml and so runs behind every hook that is named; see what it may do and name it (portcullis hooks trust), or remove it from `after`"
                }
                Some(other) if !entry.points.iter().any(|p| other.points.contains(p)) => {
                    "serves none of its points; remove it from `after`"
                }
                Some(_) => continue,
            };
            faults.push(OrderFault {
                hook: entry.id.to_owned(),
                error: OrderError::MissingDependency {
                    missing: sanitize_for_terminal(name),
                    why,
                    hint: match other {
                        Some(_) => String::new(),
                        None => nearest(name, entries.iter().map(|entry| entry.id))
                            .map(|near| format!("; did you mean `{near}`?"))
                            .unwrap_or_default(),
                    },
                },
            });
        }
    }
    faults
}

/// Orders entries: repeatedly takes the first hook by priority and id that waits for no other,
/// capped hooks last.
///
/// # Errors
///
/// The hooks of a cycle, with the first repeated at the end.
fn order(mut entries: Vec<(usize, Entry<'_>)>, order: Order) -> Result<Vec<usize>, Vec<String>> {
    entries.sort_by(|(_, a), (_, b)| {
        let by_priority = match order {
            Order::Forward => a.priority.cmp(&b.priority),
            Order::Reverse => b.priority.cmp(&a.priority),
        };
        let by_cap = a.capped.cmp(&b.capped);
        by_cap.then(by_priority).then_with(|| a.id.cmp(b.id))
    });
    let mut waiting: BTreeSet<&str> = entries.iter().map(|(_, entry)| entry.id).collect();
    let mut ordered = Vec::with_capacity(entries.len());
    while !entries.is_empty() {
        let ready = entries
            .iter()
            .position(|(_, entry)| !entry.after.iter().any(|id| waiting.contains(id.as_str())));
        match ready {
            Some(position) => {
                let (index, entry) = entries.remove(position);
                waiting.remove(entry.id);
                ordered.push(index);
            }
            None => return Err(cycle(&entries)),
        }
    }
    Ok(ordered)
}

/// Follows dependencies among waiting hooks until one repeats.
fn cycle(entries: &[(usize, Entry<'_>)]) -> Vec<String> {
    let mut path: Vec<&str> = Vec::new();
    let mut here = entries.first();
    while let Some((_, entry)) = here {
        if let Some(start) = path.iter().position(|id| *id == entry.id) {
            let mut cycle: Vec<String> = path.iter().skip(start).map(|id| (*id).into()).collect();
            // The cycle begins with its smallest id, so that its text is always the same.
            let smallest = cycle
                .iter()
                .enumerate()
                .min_by_key(|(_, id)| id.as_str())
                .map_or(0, |(index, _)| index);
            cycle.rotate_left(smallest);
            cycle.extend(cycle.first().cloned());
            return cycle;
        }
        path.push(entry.id);
        here = entries
            .iter()
            .find(|(_, other)| entry.after.iter().any(|id| id == other.id));
    }
    path.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(hooks: &[(&'static str, i32, &[&str])], by: Order) -> Result<Vec<String>, Vec<String>> {
        let afters: Vec<Vec<String>> = hooks
            .iter()
            .map(|(_, _, after)| after.iter().map(|id| (*id).to_owned()).collect())
            .collect();
        let points = PointSet::default();
        let entries = hooks
            .iter()
            .zip(&afters)
            .enumerate()
            .map(|(index, ((id, priority, _), after))| {
                let entry = Entry {
                    id,
                    enabled: true,
                    capped: id.starts_with("capped"),
                    priority: *priority,
                    after,
                    points: &points,
                };
                (index, entry)
            })
            .collect();
        let ordered = order(entries, by)?;
        Ok(ordered.iter().map(|index| hooks[*index].0.into()).collect())
    }

    #[test]
    fn low_priority_first_then_id() {
        let hooks: &[(&str, i32, &[&str])] = &[("c", 100, &[]), ("b", 5, &[]), ("a", 100, &[])];
        assert_eq!(
            ids(hooks, Order::Forward),
            Ok(vec!["b".into(), "a".into(), "c".into()])
        );
        assert_eq!(
            ids(hooks, Order::Reverse),
            Ok(vec!["a".into(), "c".into(), "b".into()])
        );
    }

    #[test]
    fn a_capped_hook_runs_last_in_both_directions() {
        let hooks: &[(&str, i32, &[&str])] = &[
            ("capped-low", i32::MIN, &[]),
            ("capped-high", i32::MAX, &[]),
            ("a", 100, &[]),
            ("b", 5, &[]),
        ];
        let order = |by| ids(hooks, by).expect("an order");
        assert_eq!(
            order(Order::Forward),
            ["b", "a", "capped-low", "capped-high"]
        );
        assert_eq!(
            order(Order::Reverse),
            ["a", "b", "capped-high", "capped-low"]
        );
    }

    #[test]
    fn no_dependency_puts_a_capped_hook_in_front_of_a_named_one() {
        let points: PointSet = [PointId::ALL[0]].into_iter().collect();
        let after = ["capped".to_owned()];
        let entry = |id, capped, after| Entry {
            id,
            enabled: true,
            capped,
            priority: 0,
            after,
            points: &points,
        };
        let (_, faults) = orders(&[entry("a", false, &after[..]), entry("capped", true, &[])]);
        let said: Vec<String> = faults.iter().map(|fault| fault.error.to_string()).collect();
        assert_eq!(faults.len(), 1, "{said:?}");
        assert!(said[0].contains("portcullis hooks trust"), "{said:?}");
        let (_, faults) = orders(&[entry("b", true, &after[..]), entry("capped", true, &[])]);
        assert!(faults.is_empty(), "{faults:?}");
    }

    #[test]
    fn a_dependency_holds_as_written_at_reversed_points_too() {
        let hooks: &[(&str, i32, &[&str])] = &[("early", 5, &["late"]), ("late", 200, &[])];
        for by in [Order::Forward, Order::Reverse] {
            assert_eq!(ids(hooks, by), Ok(vec!["late".into(), "early".into()]));
        }
    }

    #[test]
    fn a_cycle_is_named_from_its_smallest_id() {
        let hooks: &[(&str, i32, &[&str])] = &[
            ("c", 1, &["b"]),
            ("b", 2, &["a"]),
            ("a", 3, &["c"]),
            ("x", 0, &["c"]),
        ];
        let cycle = ["a", "c", "b", "a"].map(String::from).to_vec();
        assert_eq!(ids(hooks, Order::Forward), Err(cycle));
    }
}
