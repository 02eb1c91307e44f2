package config

// An instance has one configuration all its life.
const once = true
