//! Ranking memories by how well they match queries (BM25).

use std::collections::BTreeMap;

use crate::{Memory, tokens, words};

/// The saturation of repeated words: BM25's `k1`.
const SATURATION: f64 = 1.2;
/// The penalty on long texts: BM25's `b`.
const LENGTH: f64 = 0.75;

/// Returns the memories that match a query, best first. With equal scores, the newest come first.
pub fn rank<'a>(memories: &'a [Memory], queries: &[String]) -> Vec<&'a Memory> {
    let mut wanted: Vec<String> = queries.iter().flat_map(|q| words::content(q)).collect();
    wanted.sort();
    wanted.dedup();
    let texts: Vec<Vec<String>> = memories.iter().map(text).collect();
    let total: usize = texts.iter().map(Vec::len).sum();
    let average = total as f64 / texts.len().max(1) as f64;
    let rarity: BTreeMap<&str, f64> = wanted
        .iter()
        .map(|word| (word.as_str(), rarity(word, &texts)))
        .collect();
    let mut scored: Vec<(f64, &Memory)> = memories
        .iter()
        .zip(&texts)
        .map(|(memory, text)| (score(text, &rarity, average), memory))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    scored.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(y.seq.cmp(&x.seq)).then(x.id.cmp(&y.id)));
    scored.into_iter().map(|(_, memory)| memory).collect()
}

/// Takes memories in their order, within both limits. A memory with too many tokens is skipped, and
/// a shorter one after it may be taken.
pub fn take<'a>(
    memories: impl IntoIterator<Item = &'a Memory>,
    max_items: usize,
    max_tokens: u64,
) -> Vec<&'a Memory> {
    let mut left = max_tokens;
    let mut taken = Vec::new();
    for memory in memories {
        if taken.len() >= max_items {
            break;
        }
        if let Some(rest) = left.checked_sub(tokens(&memory.text)) {
            left = rest;
            taken.push(memory);
        }
    }
    taken
}

fn text(memory: &Memory) -> Vec<String> {
    let mut text = words::content(&memory.text);
    text.extend(memory.tags.iter().flat_map(|tag| words::content(tag)));
    text
}

fn rarity(word: &str, texts: &[Vec<String>]) -> f64 {
    let with = texts.iter().filter(|text| text.iter().any(|w| w == word));
    let (all, with) = (texts.len() as f64, with.count() as f64);
    ((all - with + 0.5) / (with + 0.5)).ln_1p()
}

fn score(text: &[String], rarity: &BTreeMap<&str, f64>, average: f64) -> f64 {
    let norm = 1.0 - LENGTH + LENGTH * text.len() as f64 / average.max(1.0);
    rarity
        .iter()
        .map(|(word, rarity)| {
            let count = text.iter().filter(|w| w == word).count() as f64;
            rarity * count * (SATURATION + 1.0) / (count + SATURATION * norm)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::{rank, take};
    use crate::Memory;

    fn memories(texts: &[&str]) -> Vec<Memory> {
        let memory = |(seq, text): (usize, &&str)| Memory {
            seq: seq as i64,
            ..Memory::new(None, text)
        };
        texts.iter().enumerate().map(memory).collect()
    }

    fn ranked(texts: &[&str], queries: &[&str]) -> Vec<String> {
        let queries: Vec<String> = queries.iter().map(|q| (*q).to_owned()).collect();
        let memories = memories(texts);
        let ranked = rank(&memories, &queries);
        ranked.iter().map(|memory| memory.text.clone()).collect()
    }

    #[test]
    fn table() {
        for (name, texts, queries, expected) in [
            ("none fits", &["tea", "milk"][..], &["rum"][..], &[][..]),
            ("nothing is looked for", &["tea"], &[], &[]),
            (
                "empty words find nothing",
                &["it is what it is"],
                &["what is it"],
                &[],
            ),
            (
                "the rare word wins",
                &["dog food", "dog toys", "cat dog"],
                &["dog", "cat"],
                &["cat dog", "dog toys", "dog food"],
            ),
            (
                "short beats long",
                &["tea and much more of this and that stuff", "tea"],
                &["tea"],
                &["tea", "tea and much more of this and that stuff"],
            ),
            (
                "newest first",
                &["red tea", "blue tea"],
                &["tea"],
                &["blue tea", "red tea"],
            ),
            ("plurals", &["two cats"], &["cat"], &["two cats"]),
        ] {
            assert_eq!(ranked(texts, queries), expected, "{name}");
        }
    }

    #[test]
    fn tags_count() {
        let memories = [Memory::new(None, "Pay the rent").tagged(["money"])];
        assert_eq!(rank(&memories, &["money".into()]).len(), 1);
    }

    #[test]
    fn taking_stops_at_both_limits() {
        let memories = memories(&["12345678", "123456789012", "1234"]);
        let texts = |items, tokens| -> Vec<usize> {
            let taken = take(&memories, items, tokens);
            taken.iter().map(|memory| memory.text.len()).collect()
        };
        assert_eq!(texts(9, 99), [8, 12, 4]);
        assert_eq!(texts(1, 99), [8]);
        assert_eq!(texts(9, 3), [8, 4]);
        assert_eq!(texts(9, 0), [0_usize; 0]);
    }
}
