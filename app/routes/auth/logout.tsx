import { redirect } from '@remix-run/node';
import { form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';

/** A GET never logs users out, so that a link on another site can't: only the POST ends the session. */
export const loader = page(({ url }) => {
  throw redirect(pathsFor(url).home);
});

/** A request without a session succeeds instead of asking for a log-in. */
export const action = form(
  async ({ api, context }) => {
    if (context.actor.type === 'user') await api.accounts.logOut();
  },
  // spec §4: clears all stored values; the login page does it again for browsers without this header
  { then: (_, { url }) => redirect(pathsFor(url).login(), { headers: { 'clear-site-data': '"storage"' } }) },
);
