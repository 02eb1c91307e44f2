;; what = "Has so many memories that its mappings are more than the half that large components may have."
;; covers = "memory mappings until the kernel gives no more"
;; expected = "load-refused"
;; cause = ["describe"]
;; settings = '''
;; [engine]
;; memory-mappings = 300
;; '''
;;! repeat 60
(memory $m{n} 0)
;;! end
(func $attack (type $handle)
  unreachable)
