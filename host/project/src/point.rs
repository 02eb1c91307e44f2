//! A lifecycle point, by name.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::contract::Contract;
use crate::nearest;

/// A lifecycle point that the contract has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Point(String);

impl Point {
    /// Returns its name, such as `pre-turn`.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// The point does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no point `{name}`{}",
    nearest::hint(
        name,
        Contract::embedded().points().iter().map(|point| point.name.as_str()),
        "`portcullis points` lists them"
    )
)]
pub struct UnknownPoint {
    name: String,
}

impl FromStr for Point {
    type Err = UnknownPoint;

    fn from_str(name: &str) -> Result<Self, UnknownPoint> {
        let known = Contract::embedded().points();
        match known.iter().any(|point| point.name == name) {
            true => Ok(Self(name.to_owned())),
            false => Err(UnknownPoint {
                name: name.to_owned(),
            }),
        }
    }
}

impl TryFrom<String> for Point {
    type Error = UnknownPoint;

    fn try_from(name: String) -> Result<Self, UnknownPoint> {
        name.parse()
    }
}

impl From<Point> for String {
    fn from(point: Point) -> Self {
        point.0
    }
}

impl Display for Point {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Point;

    #[test]
    fn a_mistyped_point_is_told_the_nearest() {
        let error = "pre-tool-cal".parse::<Point>().unwrap_err().to_string();
        assert!(error.contains("`pre-tool-call`"), "{error}");
        assert!("pre-tool-call".parse::<Point>().is_ok());
    }
}
