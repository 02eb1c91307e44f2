//! Estimating how random a text is.

/// Returns the Shannon entropy of the text's bytes, in bits for each byte: 0 for one byte that repeats, up to 4
/// for random hexadecimal digits, up to 6 for random base64.
pub fn bits_per_byte(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = text.len() as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / length)
        .map(|share| -share * share.log2())
        .sum()
}

/// Returns whether a word looks random: long, with mixed kinds of characters and a high entropy.
pub fn is_random(word: &str) -> bool {
    let changes = word
        .as_bytes()
        .windows(2)
        .filter(|pair| class(pair[0]) != class(pair[1]))
        .count();
    word.len() >= 20 && changes * 4 >= word.len() && bits_per_byte(word) >= 3.2
}

fn class(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::{bits_per_byte, is_random};

    #[test]
    fn repetition_has_none_and_mixture_has_much() {
        assert!(bits_per_byte("aaaaaaaa").abs() < 1e-9);
        assert!((bits_per_byte("abcdefgh") - 3.0).abs() < 1e-9);
    }

    #[test]
    fn words_are_not_random() {
        assert!(is_random("q7Zk2Lr9Xv4Tn8Bm1Wc6"));
        assert!(!is_random("internationalisation-of-applications"));
        assert!(!is_random("aaaaaaaaaaaaaaaaaaaaaaaa"));
    }
}
