module guard

go 1.26

require portcullis v0.0.0

replace portcullis => ../../../guest-sdk/go
