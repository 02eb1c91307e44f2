;; what = "Consists of thirty components, each within the next."
;; covers = "core module instead of component"
;; raw = true
;; expected = "load-refused"
;; cause = ["too-complex"]
(component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component (component)))))))))))))))))))))))))))))))
