;; what = "Has 24 components, each of which instantiates the one before it twice."
;; covers = "a small component that is large to the compiler"
;; raw = true
;; expected = "load-refused"
;; cause = ["too-complex"]
(component
  (component $c0 (core module $m) (core instance (instantiate $m)))
  (component $c1 (instance (instantiate $c0)) (instance (instantiate $c0)))
  (component $c2 (instance (instantiate $c1)) (instance (instantiate $c1)))
  (component $c3 (instance (instantiate $c2)) (instance (instantiate $c2)))
  (component $c4 (instance (instantiate $c3)) (instance (instantiate $c3)))
  (component $c5 (instance (instantiate $c4)) (instance (instantiate $c4)))
  (component $c6 (instance (instantiate $c5)) (instance (instantiate $c5)))
  (component $c7 (instance (instantiate $c6)) (instance (instantiate $c6)))
  (component $c8 (instance (instantiate $c7)) (instance (instantiate $c7)))
  (component $c9 (instance (instantiate $c8)) (instance (instantiate $c8)))
  (component $c10 (instance (instantiate $c9)) (instance (instantiate $c9)))
  (component $c11 (instance (instantiate $c10)) (instance (instantiate $c10)))
  (component $c12 (instance (instantiate $c11)) (instance (instantiate $c11)))
  (component $c13 (instance (instantiate $c12)) (instance (instantiate $c12)))
  (component $c14 (instance (instantiate $c13)) (instance (instantiate $c13)))
  (component $c15 (instance (instantiate $c14)) (instance (instantiate $c14)))
  (component $c16 (instance (instantiate $c15)) (instance (instantiate $c15)))
  (component $c17 (instance (instantiate $c16)) (instance (instantiate $c16)))
  (component $c18 (instance (instantiate $c17)) (instance (instantiate $c17)))
  (component $c19 (instance (instantiate $c18)) (instance (instantiate $c18)))
  (component $c20 (instance (instantiate $c19)) (instance (instantiate $c19)))
  (component $c21 (instance (instantiate $c20)) (instance (instantiate $c20)))
  (component $c22 (instance (instantiate $c21)) (instance (instantiate $c21)))
  (component $c23 (instance (instantiate $c22)) (instance (instantiate $c22)))
  (component $c24 (instance (instantiate $c23)) (instance (instantiate $c23)))
  (instance (instantiate $c24)))
