import { file } from '~/app/lib/doors.server';
import { contactLinkOf } from '~/app/lib/own-emails-link';

/** What a creator holds about the person who got the link. */
export const loader = file(async ({ api, url }) => {
  const own = await api.audience.ownData(contactLinkOf(url));
  return new Response(JSON.stringify(own, null, 2), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-data.json"',
      'cache-control': 'private, no-store',
    },
  });
});
