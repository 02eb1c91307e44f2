"use strict";
(async () => {
  // Browsers do not send the part after `#`. The page sends it once, and removes it from the
  // history.
  const token = location.hash.slice(1);
  history.replaceState(null, "", "/login");
  if (!token) return;
  const answer = await fetch("/login", { method: "POST", headers: { authorization: `Bearer ${token}` } });
  if (answer.ok) location.replace("/");
  else document.getElementById("said").textContent = "This token is not the server's: it was started again. Open the address that it printed last.";
})();
