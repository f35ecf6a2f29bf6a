import { redirect } from '@remix-run/node';
import { form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';

/** A GET never logs anyone out, so that a foreign link can't: only the POST ends the session. */
export const loader = page(({ url }) => {
  throw redirect(pathsFor(url).home);
});

export const action = form(({ api }) => api.accounts.logOut(), {
  then: (_, { url }) => pathsFor(url).login(),
});
