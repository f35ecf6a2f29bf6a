import type { MetaFunction } from '@remix-run/node';
import { SavedEpisodes } from '~/app/features/site/public/saved-episodes';
import { page } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';

/**
 * The episodes saved in this browser. The service worker opens this page if another can't be loaded (decision 0171).
 */
export const loader = page(({ context }) => ({ title: translator(context.language, 'saved')('title') }));

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default SavedEpisodes;
