import { redirect } from '@remix-run/node';
import { file } from '~/app/lib/doors.server';

/** The link of a recommendation: counts the visit and leads to the recommended show. */
export const loader = file(async ({ api, params }) => {
  const { url } = await api.recommendations.visit({ token: params.token ?? '' });
  throw redirect(url, { headers: { 'cache-control': 'no-store' } });
});
