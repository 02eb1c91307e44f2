;; what = "Takes the id of its neighbour."
;; covers = "duplicate ids"
;; id = "neighbour"
;; expected = "load-refused"
;; cause = ["duplicate-id"]
(func $attack (type $handle)
  (i32.const 0))
