//! Records of a journal, their explanations, and the page's look in a browser.

mod browser;
mod built;
mod sample;
