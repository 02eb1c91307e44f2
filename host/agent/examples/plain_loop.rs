//! A loop of an agent, without hooks.

/// A model's response.
pub enum Said {
    /// An answer.
    Text(String),
    /// A tool call: its name and its arguments.
    Call(String, String),
}

/// A model, which receives the results of its calls.
pub type Model<'a> = &'a mut dyn FnMut(&[String]) -> Said;

/// The tools, by name and arguments.
pub type Tools<'a> = &'a mut dyn FnMut(&str, &str) -> String;

/// Runs the agent until the model answers.
pub fn run(model: Model<'_>, tools: Tools<'_>) -> Result<String, Box<dyn std::error::Error>> {
    let mut told = Vec::new();
    loop {
        match model(&told) {
            Said::Text(text) => return Ok(text),
            Said::Call(name, arguments) => {
                told.push(tools(&name, &arguments));
            }
        }
    }
}
