import { redirect } from '@remix-run/node';
import { page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';

/** Former addresses: the settings were one form, and subscribers were paused on a page of their own. */
export const loader = page(async (door) => {
  const paths = pathsFor(door.url);
  const ref = productRef(door);
  throw redirect(/\/pauses(?:\.data)?$/.test(door.url.pathname) ? paths.buyers(ref) : paths.settings(ref));
});
