;; what = "Describes itself with a way of running that does not exist."
;; covers = "bad discriminant"
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (i32.store8 (i32.const 1084) (i32.const 9))
  (i32.const 1024))
(func $attack (type $handle)
  unreachable)
