import { FeedForm } from '~/app/features/studio/product/feed-form';
import { type FormFailure, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { loadSettings, saveSettings } from '~/app/lib/settings-page.server';
import { titleMeta } from '~/app/lib/title-meta';
import { takesPrefixes } from '~/db/values/measurement-prefixes';

/** The details of a show that only its feed and directories have. */
export const loader = page(async (door) => ({
  ...(await loadSettings(door, 'feed')),
  canBeMeasured: takesPrefixes(door.context.urls.app('/')),
}));

export const action = saveSettings('feed');
export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SettingsFeed() {
  const { product, canBeMeasured } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <FeedForm key={product.version} {...{ product, canBeMeasured, failure }} />;
}
