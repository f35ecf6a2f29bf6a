import { MessagesForm } from '~/app/features/studio/product/messages-form';
import { type FormFailure, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { loadSettings, saveSettings } from '~/app/lib/settings-page.server';
import { titleMeta } from '~/app/lib/title-meta';

/** The texts of a show for people who subscribe, buy or follow. */
export const loader = page((door) => loadSettings(door, 'messages'));

export const action = saveSettings('messages');
export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SettingsMessages() {
  const { product } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <MessagesForm key={product.version} product={product} failure={failure} />;
}
