//! The interface of a fuzz target.

/// The result of an input, in a few words. Inputs with the same behaviour have the same result.
pub type Behaviour = String;

/// The description of a fault that an input showed.
pub type Fault = String;

/// A target that takes any bytes.
pub trait Target: Send {
    /// Runs an input and returns its result.
    ///
    /// # Errors
    ///
    /// The input shows a fault.
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault>;
}
