/* Runs before the first paint: the chosen theme and suits, so that nothing flashes. */
try {
  const root = document.documentElement;
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  if (localStorage.getItem("suits") === "four") root.classList.add("four");
} catch (error) { /* storage closed: the system's theme stays */ }
