;; what = "Its settings are a device that never ends."
;; covers = "settings that cannot be read"
;; place = "settings-device"
;; expected = "load-refused"
;; cause = ["settings"]
