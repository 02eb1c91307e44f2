;; what = "Is native code of a Mac under another name."
;; covers = "native code renamed .wasm"
;; bytes = "cf fa ed fe 07 00 00 01 03 00 00 00 02 00 00 00"
;; expected = "load-refused"
;; cause = ["native-code"]
