;; what = "Has as many memories as there may be, and one more."
;; covers = "many memories each under the cap"
;; expected = "load-refused"
;; cause = ["describe", "invalid", "link"]
;;! repeat 64
(memory $m{n} 0)
;;! end
(func $attack (type $handle)
  unreachable)
