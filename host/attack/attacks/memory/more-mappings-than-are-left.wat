;; what = "Has more memories than the components beside it leave mappings for, so that none of its calls would run."
;; covers = "memory mappings until the kernel gives no more"
;; expected = "load-refused"
;; cause = ["describe", "resolve"]
;; settings = '''
;; [engine]
;; memory-mappings = 48
;; '''
;;! repeat 8
(memory $m{n} 0)
;;! end
(func $attack (type $handle)
  unreachable)
