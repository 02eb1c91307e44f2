//! New inputs: random bytes, and changed copies of old inputs.

use proptest::prelude::{Rng as _, RngExt as _};
use proptest::test_runner::{RngAlgorithm, TestRng};

/// The maximum length of a generated input.
const LONGEST: usize = 4_096;

/// The generator of new inputs. The same seed gives the same inputs.
pub struct Fresh {
    rng: TestRng,
    /// The inputs that showed a new behaviour.
    known: Vec<Vec<u8>>,
}

impl Fresh {
    pub fn new(seed: u64, known: Vec<Vec<u8>>) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self {
            rng: TestRng::from_seed(RngAlgorithm::ChaCha, &bytes),
            known,
        }
    }

    /// Adds an input that showed a new behaviour.
    pub fn learn(&mut self, input: Vec<u8>) {
        self.known.push(input);
    }

    /// Returns the next input.
    pub fn next(&mut self) -> Vec<u8> {
        if self.known.is_empty() || self.below(3) == 0 {
            let length = 1 << self.below(13);
            return self.bytes(length);
        }
        let mut input = self.one_known();
        for _ in 0..=self.below(6) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        match self.below(8) {
            0 => input.truncate(at),
            1 => {
                let length = self.below(32);
                let bytes = self.bytes(length);
                drop(input.splice(at..at, bytes));
            }
            2 => {
                let end = (at + self.below(32)).min(input.len());
                drop(input.drain(at..end));
            }
            3 => {
                // The new input begins like one known input and continues like another.
                let other = self.one_known();
                let from = self.below(other.len() + 1);
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            4 => {
                let end = (at + self.below(64)).min(input.len());
                input.extend_from_within(at..end);
            }
            _ => {
                let byte = [0, 1, 0x7f, 0x80, 0xff, self.rng.random()][self.below(6)];
                if let Some(there) = input.get_mut(at) {
                    *there = byte;
                }
            }
        }
    }

    fn one_known(&mut self) -> Vec<u8> {
        let index = self.below(self.known.len());
        self.known[index].clone()
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.rng.fill_bytes(&mut bytes);
        bytes
    }

    fn below(&mut self, end: usize) -> usize {
        self.rng.random_range(0..end)
    }
}
