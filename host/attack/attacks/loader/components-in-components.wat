;; what = "Consists of thirty components, each within the next."
;; covers = "a small component that is large to the compiler"
;; raw = true
;; expected = "load-refused"
;; cause = ["too-complex"]
(component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component)))))))))))))))))))))))))))))))
