//! How much work a check would be. It is counted before the check is made, so that none is begun that
//! would not end: the same arguments give the same answer on every machine, however busy it is.

use std::collections::HashMap;

use serde_json::Value;

use super::graph::{Graph, Node, NodeId, size};

/// How much work a check may be: one unit is about one comparison. A million take some 50 ms.
const MOST_WORK: u64 = 1_000_000;
/// How many subschemas may be applied one within the other: each takes some of the stack.
const MOST_NESTED: usize = 1_000;

/// A check that would be more work than it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooMuchWork;

/// The work of checking a value. `per_byte` is what matching one byte by a pattern takes.
pub(super) fn of(graph: &Graph, value: &Value, per_byte: u64) -> Result<u64, TooMuchWork> {
    let mut counting = Counting {
        graph,
        per_byte,
        counted: HashMap::new(),
        steps: 0,
    };
    counting.apply(graph.root(), value, 0)
}

struct Counting<'a> {
    graph: &'a Graph,
    per_byte: u64,
    /// What is reached in more than one way is counted once, and added as often.
    counted: HashMap<(NodeId, *const Value), u64>,
    /// How much counting itself has taken.
    steps: u64,
}

impl Counting<'_> {
    fn apply(&mut self, id: NodeId, value: &Value, nested: usize) -> Result<u64, TooMuchWork> {
        let Some(node) = self.graph.get(id) else {
            return Ok(1);
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
        for &inner in &node.in_place {
            let inner = self.apply(inner, value, nested + 1)?;
            work.add(inner.saturating_mul(if node.again { 2 } else { 1 }))?;
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
                        work.add(self.apply(inner, member, nested + 1)?)?;
                    }
                    work.add(self.each(node, member, nested)?)?;
                    for &inner in &node.names {
                        // Names are strings: nothing is within them.
                        let matched = self.per_byte.saturating_mul(name.len() as u64);
                        let inner = self.graph.get(inner);
                        work.add(inner.map_or(1, |node| node.weight + 1) + matched)?;
                    }
                }
            }
            _ => {}
        }
        if node.shared {
            self.counted.insert(key, work.0);
        }
        Ok(work.0)
    }

    fn each(&mut self, node: &Node, value: &Value, nested: usize) -> Result<u64, TooMuchWork> {
        let mut work = Sum::default();
        for &inner in &node.each {
            work.add(self.apply(inner, value, nested + 1)?)?;
        }
        Ok(work.0)
    }

    /// What a subschema does with a value besides what it leaves to others.
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
