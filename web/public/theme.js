/* Sets the chosen theme before the first paint; no choice follows the system. */
try {
  var theme = JSON.parse(localStorage.getItem('terrarium.settings') || '{}').theme;
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (e) {
  /* storage is closed to us: the system decides */
}
