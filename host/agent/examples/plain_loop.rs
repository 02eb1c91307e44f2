//! A loop of an agent, without hooks.

/// What a model says next.
pub enum Said {
    Text(String),
    Call(String, String),
}

/// A model, which is told what its calls gave.
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
