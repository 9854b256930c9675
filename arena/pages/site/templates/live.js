// Does this page show what the league knows now? Once it does not, it is loaded again, and shows
// the same part of itself as before.
(() => {
  "use strict";
  const place = "place on " + location.pathname;
  const kept = sessionStorage.getItem(place);
  if (kept !== null) {
    sessionStorage.removeItem(place);
    scrollTo(0, Number(kept));
  }
  const stamp = document.querySelector("meta[name=stamp]").content;
  const look = async () => {
    try {
      const answer = await fetch("/stamp", { cache: "no-store" });
      if (answer.ok && (await answer.text()) !== stamp) {
        sessionStorage.setItem(place, String(scrollY));
        location.reload();
        return;
      }
    } catch {
      // The server is away; perhaps it comes back.
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 1000);
})();
