//! Access to a document's entries by path. A list entry has its index as its key.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::settings::steps;

/// Returns the path of the innermost entry whose key or value is at `span`. List entries have their
/// index.
pub(super) fn entry_at(table: &DeTable<'_>, span: &Range<usize>) -> Option<Vec<String>> {
    let mut found = None;
    for (key, value) in table {
        steps::count(1);
        let name = || key.get_ref().clone().into_owned();
        if let Some(below) = entry_in(value.get_ref(), span) {
            return Some([vec![name()], below].concat());
        }
        if holds(&key.span(), span) || holds(&value.span(), span) {
            found = Some(vec![name()]);
        }
    }
    found
}

fn holds(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn entry_in(value: &DeValue<'_>, span: &Range<usize>) -> Option<Vec<String>> {
    match value {
        DeValue::Table(table) => entry_at(table, span),
        DeValue::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            let below = match entry_in(item.get_ref(), span) {
                None if holds(&item.span(), span) => Vec::new(),
                below => below?,
            };
            Some([vec![index.to_string()], below].concat())
        }),
        _ => None,
    }
}

/// Returns the value at a path.
pub(super) fn value_at<'a, 'i>(table: &'a DeTable<'i>, path: &[String]) -> Option<&'a DeValue<'i>> {
    let (name, below) = path.split_first()?;
    let mut value = table.get(name.as_str())?.get_ref();
    for key in below {
        value = match value {
            DeValue::Table(table) => table.get(key.as_str())?.get_ref(),
            DeValue::Array(items) => items.get(key.parse::<usize>().ok()?)?.get_ref(),
            _ => return None,
        };
    }
    Some(value)
}

/// Returns the path of the list if `path` is that of a list entry.
pub(super) fn without_index(mut path: Vec<String>) -> Vec<String> {
    while path.len() > 1 && path.last().is_some_and(|key| is_index(key)) {
        path.pop();
    }
    path
}

/// Removes the entry at a path. Returns whether it existed.
pub(super) fn remove(table: &mut DeTable<'_>, path: &[String]) -> bool {
    let Some((name, below)) = path.split_first() else {
        return false;
    };
    if below.is_empty() {
        return table.remove(name.as_str()).is_some();
    }
    let mut value = table.get_mut(name.as_str()).map(Spanned::get_mut);
    let mut path = below;
    while let Some(DeValue::Array(items)) = value {
        let Some((index, rest)) = path.split_first() else {
            return false;
        };
        let index = index.parse().ok();
        value = index
            .and_then(|index: usize| items.get_mut(index))
            .map(Spanned::get_mut);
        path = rest;
    }
    match value {
        Some(DeValue::Table(table)) => remove(table, path),
        _ => false,
    }
}

pub(super) fn is_in_list(path: &[&str]) -> bool {
    path.last().is_some_and(|key| is_index(key))
}

pub(super) fn is_index(key: &str) -> bool {
    key.bytes().all(|digit| digit.is_ascii_digit())
}
