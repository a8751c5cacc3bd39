/** Runs once what is now on the page has been painted. */
export const painted = (then: () => void): void => {
  requestAnimationFrame(() => setTimeout(then));
};

/** Runs when the page has nothing else to do, but soon. */
export const idle = (then: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(then, { timeout: 200 });
  else painted(then);
};

/** Runs when what is now due has been painted and nothing else is to be done. */
export const afterwards = (then: () => void): void => painted(() => idle(then));
