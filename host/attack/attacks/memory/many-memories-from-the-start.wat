;; what = "Begins with ten memories, each of which is under the cap."
;; covers = "many memories each under the cap"
;; expected = "load-refused"
;; cause = ["describe"]
;;! repeat 10
(memory $m{n} 200)
;;! end
(func $attack (type $handle)
  unreachable)
