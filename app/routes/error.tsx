import { data } from '@remix-run/node';
import { page } from '~/app/lib/doors.server';

/**
 * `/error` (spec §2.1): shows the page for a failed connection, a missing permission or another error, which `code` may
 * name.
 */
export const loader = page(({ url }) => {
  const code = url.searchParams.get('code') ?? '';
  throw data(null, { status: /^[45]\d\d$/.test(code) ? Number(code) : 500 });
});

export default function ErrorRoute() {
  return null;
}
