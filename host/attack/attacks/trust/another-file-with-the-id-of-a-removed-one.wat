;; what = "Has the id of a named hook whose file was removed while the host runs."
;; covers = "a hook that nobody trusted"
;; place = "after-a-removed-one"
;; expected = "load-refused"
;; cause = ["id-of-another"]
(func $attack (type $handle) (i32.const 0))
