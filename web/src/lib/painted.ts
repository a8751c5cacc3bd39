/** Runs once what is now on the page has been painted. */
export const painted = (then: () => void): void => {
  requestAnimationFrame(() => setTimeout(then));
};
