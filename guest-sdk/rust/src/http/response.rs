//! Responses of servers.

use serde::de::DeserializeOwned;

use super::Error;

/// A response, read to its end.
#[derive(Clone, Debug)]
pub struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
}

impl Response {
    /// Creates a response without headers, for tests.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.into(), value.as_ref().to_vec()));
        self
    }

    /// Returns the status, such as 200.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the response if its status is one of success (200 to 299).
    ///
    /// # Errors
    ///
    /// [`Error::Status`] if the status is another.
    pub fn success(self) -> Result<Self, Error> {
        match self.status {
            200..=299 => Ok(self),
            status => Err(Error::Status(status)),
        }
    }

    /// Returns the first header of this name, in any case, if its value is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(header, _)| header.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(value).ok()
    }

    /// Returns the body.
    pub fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// Returns the body as text, with `�` in place of bytes that are not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body, read as JSON.
    ///
    /// # Errors
    ///
    /// [`Error::Failed`] if the body is not JSON, or does not fit `T`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(&self.body)
            .map_err(|e| Error::Failed(format!("its response is not as expected: {e}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, body: &str) -> Response {
        Response::new(status, body).with_header("location", "/next")
    }

    #[test]
    fn only_2xx_is_success() {
        assert!(response(204, "").success().is_ok());
        for status in [199, 301, 404, 500] {
            let refused = response(status, "").success();
            assert_eq!(refused.map(drop), Err(Error::Status(status)));
        }
    }

    #[test]
    fn a_body_is_read_as_it_is_asked_for() {
        let response = response(200, "[1, 2]");
        assert_eq!(response.header("Location"), Some("/next"));
        assert_eq!(response.header("none"), None);
        assert_eq!(response.text(), "[1, 2]");
        assert_eq!(response.json::<Vec<u8>>(), Ok(vec![1, 2]));
        assert!(response.json::<String>().is_err());
    }
}
