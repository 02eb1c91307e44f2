//! The order of hooks at every point: explicit dependencies first, then priority, then id.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{LoadError, LoadFault, LoadedHook, Stage};
use crate::points::{Order, PointId};
use crate::settings::nearest;

/// For every point, the indexes of its hooks in the order they run.
pub(crate) type Orders = BTreeMap<PointId, Vec<usize>>;

/// What order needs to know of a hook.
struct Entry<'a> {
    index: usize,
    id: &'a str,
    priority: i32,
    after: &'a [String],
}

/// Orders all enabled hooks at all points.
pub(super) fn orders(hooks: &[Arc<LoadedHook>]) -> (Orders, Vec<LoadError>) {
    let mut errors = missing(hooks);
    let mut orders = Orders::new();
    for &point in PointId::ALL {
        let entries: Vec<Entry<'_>> = hooks
            .iter()
            .enumerate()
            .filter(|(_, hook)| hook.resolved.enabled && hook.shape.points.contains(point))
            .map(|(index, hook)| Entry {
                index,
                id: &hook.descriptor.id,
                priority: hook.resolved.priority,
                after: &hook.resolved.after,
            })
            .collect();
        match order(entries, point.info().order) {
            Ok(order) => {
                orders.insert(point, order);
            }
            Err(cycle) => {
                let file = hooks
                    .iter()
                    .find(|hook| Some(&hook.descriptor.id) == cycle.first())
                    .map(|hook| hook.file.clone())
                    .unwrap_or_default();
                // The same cycle shows at every point that its hooks share.
                let known = errors.iter().any(|error: &LoadError| {
                    matches!(&error.fault, LoadFault::Cycle { cycle: c, .. } if *c == cycle)
                });
                if !known {
                    errors.push(LoadError {
                        file,
                        stage: Stage::Order,
                        fault: LoadFault::Cycle { point, cycle },
                    });
                }
            }
        }
    }
    (orders, errors)
}

/// Dependencies on hooks that are not there, are switched off, or share no point.
fn missing(hooks: &[Arc<LoadedHook>]) -> Vec<LoadError> {
    let mut errors = Vec::new();
    for hook in hooks.iter().filter(|hook| hook.resolved.enabled) {
        for name in &hook.resolved.after {
            let other = hooks.iter().find(|other| other.descriptor.id == *name);
            let why = match other {
                None => "is not in the hooks directory; load it, or take it out of `after`",
                Some(other) if !other.resolved.enabled => {
                    "is switched off; switch it on, or take it out of `after`"
                }
                Some(other)
                    if !hook
                        .shape
                        .points
                        .iter()
                        .any(|point| other.shape.points.contains(point)) =>
                {
                    "serves none of its points; take it out of `after`"
                }
                Some(_) => continue,
            };
            errors.push(LoadError::new(
                &hook.file,
                Stage::Order,
                LoadFault::MissingDependency {
                    missing: crate::text::printable(name),
                    why,
                    hint: match other {
                        Some(_) => String::new(),
                        None => nearest(name, hooks.iter().map(|h| h.descriptor.id.as_str()))
                            .map(|near| format!("; did you mean `{near}`?"))
                            .unwrap_or_default(),
                    },
                },
            ));
        }
    }
    errors
}

/// Takes, again and again, the first hook by priority and id that waits for no other.
///
/// # Errors
///
/// The way round a cycle, its first hook at its end again.
fn order(mut entries: Vec<Entry<'_>>, order: Order) -> Result<Vec<usize>, Vec<String>> {
    entries.sort_by(|a, b| {
        let by_priority = match order {
            Order::Forward => a.priority.cmp(&b.priority),
            Order::Reverse => b.priority.cmp(&a.priority),
        };
        by_priority.then_with(|| a.id.cmp(b.id))
    });
    let mut waiting: BTreeSet<&str> = entries.iter().map(|entry| entry.id).collect();
    let mut ordered = Vec::with_capacity(entries.len());
    while !entries.is_empty() {
        let ready = entries
            .iter()
            .position(|entry| !entry.after.iter().any(|id| waiting.contains(id.as_str())));
        match ready {
            Some(position) => {
                let entry = entries.remove(position);
                waiting.remove(entry.id);
                ordered.push(entry.index);
            }
            None => return Err(cycle(&entries)),
        }
    }
    Ok(ordered)
}

/// Follows dependencies among hooks that all wait until one comes round.
fn cycle(entries: &[Entry<'_>]) -> Vec<String> {
    let mut path: Vec<&str> = Vec::new();
    let mut here = entries.first();
    while let Some(entry) = here {
        if let Some(start) = path.iter().position(|id| *id == entry.id) {
            let mut cycle: Vec<String> = path.iter().skip(start).map(|id| (*id).into()).collect();
            // From its smallest id on, so that the same cycle always reads the same.
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
            .find(|other| entry.after.iter().any(|id| id == other.id));
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
        let entries = hooks
            .iter()
            .zip(&afters)
            .enumerate()
            .map(|(index, ((id, priority, _), after))| Entry {
                index,
                id,
                priority: *priority,
                after,
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
