;; what = "Is a shell script under another name."
;; covers = "native code renamed .wasm"
;; bytes = "23 21 2f 62 69 6e 2f 73 68 0a 72 6d"
;; expected = "load-refused"
;; cause = ["not-wasm"]
