module portcullis

go 1.26
