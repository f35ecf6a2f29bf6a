import { redirect } from '@remix-run/node';
import { type Door, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';

/** The page that Spotify returns to. It shows nothing, because its URL contains the code. */
export const loader = page(async (door) => {
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  throw redirect(await finish(door), { headers });
});

/** @returns the page at Spotify that completes the link, or ours with the reason why there is no link */
async function finish({ api, context, url }: Door): Promise<string> {
  try {
    return (await api.spotify.finish(Object.fromEntries(url.searchParams) as never)).url;
  } catch (error) {
    const { code, kind } = context.describeError(error);
    if (kind === 'unauthenticated') throw error;
    const problem = code.startsWith('spotify.') ? code.slice('spotify.'.length) : 'linking_expired';
    return `${pathsFor(url).spotify}?problem=${problem}`;
  }
}
