;; what = "Answers with three mebibytes, a million times in one call."
;; covers = "more than one answer in a call"
;; answers = ["answer"]
;; pages = 64
;; cause = ["bad-output"]
;; memory-bytes = 67_108_864
(func $attack (type $handle)
  (memory.fill (i32.const 65536) (i32.const 120) (i32.const 3145728))
  (i32.store (i32.const 3076) (i32.const 65536))
  (i32.store (i32.const 3080) (i32.const 3145728))
  (loop $again
    (call $answer (i32.const 3072) (i32.const 1))
    (br $again))
  unreachable)
