//! The amount of work of a check. It is counted before the check, so that no check is begun that
//! takes too long. The same arguments give the same result on every machine, however busy it is.

use std::collections::HashMap;

use serde_json::Value;

use super::graph::{Graph, Node, NodeId, size};

/// The most work of a check: one unit is about one comparison. A million take some 50 ms.
const MOST_WORK: u64 = 1_000_000;
/// The most subschemas applied one within the other: each takes some of the stack.
const MOST_NESTED: usize = 1_000;

/// A check that would take too much work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooMuchWork;

/// Returns the work of checking a value. `per_byte` is the work of matching one byte by a pattern.
pub(super) fn of(graph: &Graph, value: &Value, per_byte: u64) -> Result<u64, TooMuchWork> {
    let mut counting = Counting {
        graph,
        per_byte,
        counted: HashMap::new(),
        steps: 0,
    };
    counting
        .apply(graph.root(), value, 0)
        .map(|cost| cost.check)
}

/// The cost of a subschema for one value.
#[derive(Clone, Copy)]
struct Cost {
    /// The cost of checking the value.
    check: u64,
    /// The cost of collecting the evaluated parts again, as an `unevaluatedProperties` above does:
    /// every branch is checked and searched once more.
    mark: u64,
}

struct Counting<'a> {
    graph: &'a Graph,
    per_byte: u64,
    /// The costs counted so far. A subschema reached in several ways is counted once, and its cost
    /// is added each time.
    counted: HashMap<(NodeId, *const Value), Cost>,
    /// The work of counting so far.
    steps: u64,
}

impl Counting<'_> {
    fn apply(&mut self, id: NodeId, value: &Value, nested: usize) -> Result<Cost, TooMuchWork> {
        let Some(node) = self.graph.get(id) else {
            return Ok(Cost { check: 1, mark: 1 });
        };
        let key = (id, std::ptr::from_ref(value));
        if node.shared
            && let Some(work) = self.counted.get(&key)
        {
            return Ok(*work);
        }
        if nested == MOST_NESTED {
            return Err(TooMuchWork);
        }
        let own = self.own(node, value);
        self.steps = self.steps.saturating_add(own);
        let mut work = Sum::default();
        work.add(own)?;
        if self.steps > MOST_WORK {
            return Err(TooMuchWork);
        }
        let mut mark = own;
        for &inner in &node.in_place {
            let inner = self.apply(inner, value, nested + 1)?;
            work.add(inner.check)?;
            mark = mark.saturating_add(inner.check).saturating_add(inner.mark);
        }
        if node.again {
            work.add(mark)?;
        }
        match value {
            Value::Array(items) if !node.each.is_empty() => {
                for item in items {
                    work.add(self.each(node, item, nested)?)?;
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    if let Some(&inner) = node.members.get(name) {
                        work.add(self.apply(inner, member, nested + 1)?.check)?;
                    }
                    work.add(self.each(node, member, nested)?)?;
                    for &inner in &node.names {
                        work.add(self.name(inner, name, nested + 1)?)?;
                    }
                }
            }
            _ => {}
        }
        let cost = Cost {
            check: work.0,
            mark,
        };
        if node.shared {
            self.counted.insert(key, cost);
        }
        Ok(cost)
    }

    /// Returns the work of checking a name. The cost is not kept: no other path reaches a name.
    fn name(&mut self, id: NodeId, name: &str, nested: usize) -> Result<u64, TooMuchWork> {
        let Some(node) = self.graph.get(id) else {
            return Ok(1);
        };
        if nested >= MOST_NESTED {
            return Err(TooMuchWork);
        }
        let matched = if node.matches { self.per_byte } else { 0 };
        let own = matched
            .saturating_mul(name.len() as u64)
            .saturating_add(node.weight)
            .saturating_add(1);
        self.steps = self.steps.saturating_add(own);
        if self.steps > MOST_WORK {
            return Err(TooMuchWork);
        }
        let mut work = Sum::default();
        work.add(own)?;
        for &inner in &node.in_place {
            work.add(self.name(inner, name, nested + 1)?)?;
        }
        Ok(work.0)
    }

    fn each(&mut self, node: &Node, value: &Value, nested: usize) -> Result<u64, TooMuchWork> {
        let mut work = Sum::default();
        for &inner in &node.each {
            work.add(self.apply(inner, value, nested + 1)?.check)?;
        }
        Ok(work.0)
    }

    /// Returns a subschema's own cost for a value, without the subschemas that it contains.
    fn own(&self, node: &Node, value: &Value) -> u64 {
        let of_value = match value {
            Value::String(text) => {
                let bytes = text.len() as u64;
                let matched = if node.matches { self.per_byte } else { 0 };
                bytes / 64 + bytes.saturating_mul(matched)
            }
            Value::Array(_) if node.unique => size(value).saturating_mul(4),
            Value::Object(members) => {
                let names = || members.keys().map(|name| name.len() as u64).sum::<u64>();
                let matched = match node.name_patterns {
                    0 => 0,
                    patterns => names().saturating_mul(patterns.saturating_mul(self.per_byte)),
                };
                matched.saturating_add(members.len() as u64)
            }
            _ => 0,
        };
        of_value.saturating_add(node.weight).saturating_add(1)
    }
}

/// A sum that must not be too large.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    fn add(&mut self, more: u64) -> Result<(), TooMuchWork> {
        self.0 = self.0.saturating_add(more);
        match self.0 > MOST_WORK {
            true => Err(TooMuchWork),
            false => Ok(()),
        }
    }
}
