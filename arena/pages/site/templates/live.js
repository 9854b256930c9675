// Reload the page when the league has changed, and restore the scroll position.
(() => {
  "use strict";
  const key = "scroll position of " + location.pathname;
  const kept = sessionStorage.getItem(key);
  if (kept !== null) {
    sessionStorage.removeItem(key);
    scrollTo(0, Number(kept));
  }
  const stamp = document.querySelector("meta[name=stamp]").content;
  const check = async () => {
    try {
      const answer = await fetch("/stamp", { cache: "no-store" });
      if (answer.ok && (await answer.text()) !== stamp) {
        sessionStorage.setItem(key, String(scrollY));
        location.reload();
        return;
      }
    } catch {
      // The server is not available; it may come back.
    }
    setTimeout(check, 1000);
  };
  setTimeout(check, 1000);
})();
