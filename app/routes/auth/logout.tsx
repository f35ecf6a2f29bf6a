import { redirect } from '@remix-run/node';
import { form, page } from '~/app/lib/doors.server';
import { pathsIn, prefixOf } from '~/app/lib/paths';

/** Nobody is logged out by a link: it leads home, and the form below ends the session. */
export const loader = page(({ url }) => {
  throw redirect(pathsIn(prefixOf(url.pathname)).home);
});

export const action = form(({ api }) => api.accounts.logOut(), {
  then: (_, { url }) => pathsIn(prefixOf(url.pathname)).login(),
});
