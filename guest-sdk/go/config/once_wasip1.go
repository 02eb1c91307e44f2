package config

// An instance has one configuration as long as it lives.
const once = true
