//! A graph of which subschemas apply to which values: the work of a check, known before the check.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Map, Value};

/// The most `$ref`s of a schema.
const MOST_REFS: usize = 1_000;
/// The most subschemas, as written.
const MOST_NODES: usize = 20_000;
/// The most regular expressions: compiling one can take a millisecond.
const MOST_PATTERNS: usize = 100;
/// The most subschemas applied to one value, one within the other.
const MOST_NESTED: usize = 64;
/// The most subschemas applied to one value in all.
const MOST_APPLIED: u64 = 4_096;

/// The subschemas that a schema reaches. The first is the schema itself.
#[derive(Debug)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    patterns: usize,
}

/// The index of a subschema in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(usize);

/// A subschema.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The number of comparisons for any value: names, constants.
    pub(super) weight: u64,
    /// Whether a pattern or a format matches a string.
    pub(super) matches: bool,
    /// Whether all items of an array are compared.
    pub(super) unique: bool,
    /// Whether a subschema applied in place may be applied again, to find the parts that it left
    /// unevaluated.
    pub(super) again: bool,
    /// Whether the subschema is reached in more than one way.
    pub(super) shared: bool,
    /// The number of patterns that match the names of an object.
    pub(super) name_patterns: u64,
    /// The subschemas that are applied to the value itself.
    pub(super) in_place: Vec<NodeId>,
    /// The subschemas that are applied to the member of this name.
    pub(super) members: HashMap<String, NodeId>,
    /// The subschemas that may be applied to every member or item.
    pub(super) each: Vec<NodeId>,
    /// The subschemas that are applied to every name of an object.
    pub(super) names: Vec<NodeId>,
}

impl Graph {
    /// Reads a schema. An error says why the schema is invalid.
    pub(super) fn read(schema: &Value) -> Result<Self, String> {
        let mut reader = Reader {
            root: schema,
            nodes: Vec::new(),
            known: HashMap::new(),
            waiting: Vec::new(),
            refs: 0,
            patterns: 0,
        };
        reader.node(schema)?;
        while let Some((id, value)) = reader.waiting.pop() {
            reader.fill(id, value)?;
        }
        if reader.refs > 0 && has_resources(schema) {
            return Err(
                "a part of it has an `$id` or a `$schema` of its own, which is not \
                        supported beside `$ref`; take it out"
                    .into(),
            );
        }
        let graph = Self {
            nodes: reader.nodes,
            patterns: reader.patterns,
        };
        Applied::of(&graph)?;
        Ok(graph)
    }

    /// Returns the schema itself.
    pub(super) fn root(&self) -> NodeId {
        NodeId(0)
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0)
    }

    /// Returns the number of subschemas.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of regular expressions.
    pub(super) fn patterns(&self) -> usize {
        self.patterns
    }
}

struct Reader<'a> {
    root: &'a Value,
    nodes: Vec<Node>,
    /// The known nodes, by the address of their schema. The schema is borrowed, so it does not move.
    known: HashMap<*const Value, NodeId>,
    waiting: Vec<(NodeId, &'a Value)>,
    refs: usize,
    patterns: usize,
}

impl<'a> Reader<'a> {
    fn node(&mut self, value: &'a Value) -> Result<NodeId, String> {
        let next = NodeId(self.nodes.len());
        match self.known.entry(std::ptr::from_ref(value)) {
            Entry::Occupied(known) => {
                let id = *known.get();
                if let Some(node) = self.nodes.get_mut(id.0) {
                    node.shared = true;
                }
                Ok(id)
            }
            Entry::Vacant(_) if next.0 == MOST_NODES => {
                Err(format!("it has more than {MOST_NODES} subschemas"))
            }
            Entry::Vacant(free) => {
                free.insert(next);
                self.nodes.push(Node::default());
                self.waiting.push((next, value));
                Ok(next)
            }
        }
    }

    fn fill(&mut self, id: NodeId, value: &'a Value) -> Result<(), String> {
        // The compiler rejects a value that is not a schema.
        let Some(schema) = value.as_object() else {
            return Ok(());
        };
        let mut node = Node {
            shared: self.nodes.get(id.0).is_some_and(|node| node.shared),
            ..Node::default()
        };
        for (keyword, value) in schema {
            self.keyword(keyword, value, &mut node)?;
        }
        // A schema may refer to itself.
        if let Some(slot) = self.nodes.get_mut(id.0) {
            node.shared |= slot.shared;
            *slot = node;
        }
        Ok(())
    }

    fn keyword(&mut self, keyword: &str, value: &'a Value, node: &mut Node) -> Result<(), String> {
        match keyword {
            "$ref" => {
                let target = self.target(value)?;
                node.in_place.push(self.node(target)?);
            }
            "$dynamicRef" | "$recursiveRef" => {
                return Err(format!("it has a `{keyword}`; use `$ref`"));
            }
            "allOf" | "anyOf" | "oneOf" => self.list(value, &mut node.in_place)?,
            "not" | "if" | "then" | "else" => node.in_place.push(self.node(value)?),
            "dependentSchemas" | "dependencies" => self.map(value, &mut node.in_place)?,
            "properties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    let member = self.node(value)?;
                    node.members.insert(name.clone(), member);
                }
            }
            "patternProperties" => {
                let patterns = value.as_object().map_or(0, Map::len);
                node.name_patterns += patterns as u64;
                self.patterns(patterns)?;
                self.map(value, &mut node.each)?;
            }
            "items" | "prefixItems" if value.is_array() => self.list(value, &mut node.each)?,
            "items" | "additionalItems" | "additionalProperties" | "contains" => {
                node.each.push(self.node(value)?);
            }
            "unevaluatedItems" | "unevaluatedProperties" => {
                node.again = true;
                node.each.push(self.node(value)?);
            }
            "propertyNames" => node.names.push(self.node(value)?),
            "pattern" => {
                node.matches = true;
                self.patterns(1)?;
            }
            "format" | "contentEncoding" | "contentMediaType" => node.matches = true,
            "uniqueItems" => node.unique = true,
            "enum" | "const" | "required" | "dependentRequired" => {
                node.weight = node.weight.saturating_add(size(value));
            }
            _ => {}
        }
        Ok(())
    }

    fn list(&mut self, value: &'a Value, into: &mut Vec<NodeId>) -> Result<(), String> {
        for value in value.as_array().into_iter().flatten() {
            into.push(self.node(value)?);
        }
        Ok(())
    }

    fn map(&mut self, value: &'a Value, into: &mut Vec<NodeId>) -> Result<(), String> {
        for value in value.as_object().into_iter().flat_map(Map::values) {
            into.push(self.node(value)?);
        }
        Ok(())
    }

    fn patterns(&mut self, more: usize) -> Result<(), String> {
        self.patterns += more;
        match self.patterns > MOST_PATTERNS {
            true => Err(format!(
                "it has more than {MOST_PATTERNS} regular expressions"
            )),
            false => Ok(()),
        }
    }

    fn target(&mut self, reference: &Value) -> Result<&'a Value, String> {
        self.refs += 1;
        if self.refs > MOST_REFS {
            return Err(format!("it has more than {MOST_REFS} `$ref`s"));
        }
        let reference = reference.as_str().unwrap_or_default();
        let pointer = reference
            .strip_prefix('#')
            .filter(|pointer| pointer.is_empty() || pointer.starts_with('/'))
            .ok_or_else(|| {
                "a `$ref` leads out of it, or to an anchor; refer to a part of the schema itself, \
                 as in `#/$defs/name`"
                    .to_owned()
            })?;
        let pointer = unescaped(pointer).ok_or("a `$ref` is badly escaped")?;
        self.root
            .pointer(&pointer)
            .ok_or_else(|| "a `$ref` leads to nothing".into())
    }
}

/// Returns whether a part of a schema is a separate resource, within which a `$ref` has another
/// base.
fn has_resources(schema: &Value) -> bool {
    let old = schema.get("$schema").and_then(Value::as_str);
    let old = old.is_some_and(|draft| draft.contains("draft-03") || draft.contains("draft-04"));
    parts(schema).any(|part| is_resource(part, old))
}

fn is_resource(value: &Value, old: bool) -> bool {
    let names_itself = value.as_object().is_some_and(|schema| {
        let says = |keyword: &str| schema.get(keyword).is_some_and(Value::is_string);
        says("$id") || says("$schema") || old && says("id")
    });
    names_itself || parts(value).any(|part| is_resource(part, old))
}

fn parts(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(members) => Box::new(members.values()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns a part of a URL without its percent signs.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                u8::try_from(high * 16 + low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Returns the size of a value, no deeper than the parser reads.
pub(super) fn size(value: &Value) -> u64 {
    match value {
        Value::String(text) => 1 + text.len() as u64 / 16,
        Value::Array(items) => 1 + items.iter().map(size).sum::<u64>(),
        Value::Object(members) => {
            let members = members.iter();
            1 + members
                .map(|(name, value)| 1 + name.len() as u64 / 16 + size(value))
                .sum::<u64>()
        }
        _ => 1,
    }
}

/// Counts the subschemas that apply to one value, with `$ref`s followed.
struct Applied<'a> {
    graph: &'a Graph,
    counts: HashMap<NodeId, u64>,
    /// The path to the current subschema.
    path: Vec<NodeId>,
}

impl<'a> Applied<'a> {
    fn of(graph: &'a Graph) -> Result<(), String> {
        let mut applied = Self {
            graph,
            counts: HashMap::new(),
            path: Vec::new(),
        };
        for id in 0..graph.nodes.len() {
            applied.count(NodeId(id))?;
        }
        Ok(())
    }

    fn count(&mut self, id: NodeId) -> Result<u64, String> {
        if let Some(count) = self.counts.get(&id) {
            return Ok(*count);
        }
        if self.path.contains(&id) {
            return Err("a `$ref` of it leads back to itself for the same value".into());
        }
        if self.path.len() == MOST_NESTED {
            return Err(format!(
                "more than {MOST_NESTED} subschemas, one within the other, apply to one value"
            ));
        }
        self.path.push(id);
        let mut count = 1_u64;
        for &inner in self
            .graph
            .get(id)
            .into_iter()
            .flat_map(|node| &node.in_place)
        {
            count = count.saturating_add(self.count(inner)?);
        }
        self.path.pop();
        if count > MOST_APPLIED {
            return Err(format!(
                "more than {MOST_APPLIED} subschemas apply to one value, its `$ref`s followed"
            ));
        }
        self.counts.insert(id, count);
        Ok(count)
    }
}
