//go:build !wasip1

package config

// Each test has its own configuration.
const once = false
