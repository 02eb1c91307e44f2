//! What is given inputs.

/// What became of an input, in a few words: inputs of the same behaviour have the same.
pub type Behaviour = String;

/// What went wrong with an input.
pub type Fault = String;

/// Something that takes any bytes.
pub trait Target: Send {
    /// What becomes of an input.
    ///
    /// # Errors
    ///
    /// What must not become of any.
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault>;
}
