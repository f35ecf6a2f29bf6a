import { data } from '@remix-run/node';
import { page } from '~/app/lib/doors.server';

/** `/error` (spec §2.1): shows the page for a failed connection or a missing permission. */
export const loader = page(({ url }) => {
  throw data(null, { status: url.searchParams.get('code') === '403' ? 403 : 500 });
});

export default function ErrorRoute() {
  return null;
}
