//! What can go wrong with a store.

/// Why a store cannot be opened, read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store cannot be opened.
    #[error("the store {store} cannot be opened: {cause}")]
    Open {
        /// The store, without its password.
        store: String,
        /// Why, and what to do.
        cause: String,
    },
    /// A statement failed.
    #[error("the store failed: {0}")]
    Database(String),
    /// The thread that the store runs on has ended.
    #[error("the store is closed; open it again")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.to_string())
    }
}
