;; what = "Is named nowhere, and puts a value in place that later hooks may not change."
;; covers = "a hook that nobody trusted"
;; named = false
;; answers = ["replace"]
;; expected = "load-refused"
;; cause = ["unnamed"]
(func $attack (type $handle)
  unreachable)
