;; what = "Is native code under another name."
;; covers = "native code renamed .wasm"
;; bytes = "7f 45 4c 46 02 01 01 00 00 00 00 00 00 00 00 00 03 00 3e 00"
;; expected = "load-refused"
;; cause = ["native-code"]
