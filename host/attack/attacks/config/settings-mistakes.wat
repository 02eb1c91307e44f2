;; what = "Its settings have ten thousand mistakes."
;; covers = "settings that cannot be read"
;; place = "settings-mistakes"
;; expected = "load-refused"
;; cause = ["settings"]
