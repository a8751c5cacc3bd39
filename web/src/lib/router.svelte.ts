/* Addresses behind the #, so that any static server and the offline cache can
 * serve every page:  #/  #/new/nova  #/play/ID  #/replay/ID  #/games ... */

export interface Route {
  page: string;
  argument: string;
}

function read(): Route {
  const [page = '', ...rest] = location.hash.replace(/^#\/?/, '').split('/');
  let argument = rest.join('/');
  try {
    argument = decodeURIComponent(argument);
  } catch {
    /* a broken escape: take it as it is */
  }
  return { page, argument };
}

export const router = $state<{ route: Route }>({ route: read() });

addEventListener('hashchange', () => {
  router.route = read();
  scrollTo(0, 0);
});

export const go = (to: string): void => {
  location.hash = to;
};
