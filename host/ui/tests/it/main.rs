//! Pages of a real store in a real browser, and requests that are refused.

mod access;
mod browser;
mod support;
