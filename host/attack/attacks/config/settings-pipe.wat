;; what = "Its settings are a pipe that nobody writes to."
;; covers = "settings that cannot be read"
;; place = "settings-pipe"
;; expected = "load-refused"
;; cause = ["settings"]
