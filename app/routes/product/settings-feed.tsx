import { FeedForm } from '~/app/features/studio/product/feed-form';
import { type FormFailure, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { loadSettings, saveSettings } from '~/app/lib/settings-page.server';
import { titleMeta } from '~/app/lib/title-meta';

/** The details of a show that only its feed and directories have. */
export const loader = page((door) => loadSettings(door, 'feed'));

export const action = saveSettings('feed');
export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SettingsFeed() {
  const { product } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <FeedForm key={product.version} product={product} failure={failure} />;
}
