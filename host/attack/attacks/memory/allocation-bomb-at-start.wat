;; what = "Begins with four gigabytes of memory."
;; covers = "allocation bomb at start"
;; expected = "load-refused"
;; cause = ["describe"]
(memory $bomb 65536)
(func $attack (type $handle)
  unreachable)
