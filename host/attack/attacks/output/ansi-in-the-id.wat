;; what = "Calls itself something that clears the screen."
;; covers = "ANSI and newline injection"
;; id = "\u001b[2Jevil\r\n"
;; named = false
;; expected = "load-refused"
;; cause = ["bad-id"]
(func $attack (type $handle)
  unreachable)
