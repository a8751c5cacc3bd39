/* Before the first paint: sets the chosen theme and contrast (no choice follows
 * the system) and asks for the words of the reader's language, chosen as in
 * src/lib/say.svelte.ts. */
(function () {
  var root = document.documentElement;
  var chosen = null;
  var strong = window.matchMedia('(prefers-contrast: more)');
  function kept() {
    try {
      return JSON.parse(localStorage.getItem('terrarium.settings') || '{}') || {};
    } catch (e) {
      return {};
    }
  }
  function contrast() {
    var wish = kept().contrast;
    if (wish === 'more' || (wish !== 'less' && strong.matches)) root.dataset.contrast = 'more';
    else delete root.dataset.contrast;
  }
  contrast();
  strong.addEventListener('change', contrast);
  var theme = kept().theme;
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  try {
    chosen = localStorage.getItem('PARAGLIDE_LOCALE');
  } catch (e) {
    /* storage is closed to us: the system decides */
  }
  var meta = document.querySelector('meta[name="words"]');
  var list = meta ? meta.content.split(' ') : [];
  var asked = [chosen].concat(navigator.languages || [], 'en');
  for (var i = 0; i < asked.length; i++) {
    var at = list.indexOf(String(asked[i]).slice(0, 2).toLowerCase());
    if (at < 0) continue;
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = list[at + 1];
    document.head.appendChild(link);
    root.lang = list[at];
    break;
  }
})();
