//! What is given inputs.

/// The result of an input, in a few words: inputs of the same behaviour have the same.
pub type Behaviour = String;

/// What went wrong with an input.
pub type Fault = String;

/// Something that takes any bytes.
pub trait Target: Send {
    /// The result of an input.
    ///
    /// # Errors
    ///
    /// The result that no input may have.
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault>;
}
