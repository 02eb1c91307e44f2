//! Records of a journal, what they become, and how the page looks in a browser.

mod browser;
mod built;
mod sample;
