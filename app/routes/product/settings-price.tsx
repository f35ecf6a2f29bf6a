import { PriceForm } from '~/app/features/studio/product/price-form';
import { type FormFailure, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { loadSettings, saveSettings } from '~/app/lib/settings-page.server';
import { titleMeta } from '~/app/lib/title-meta';

/** What a show costs, and when people who pay can hear its episodes. */
export const loader = page((door) => loadSettings(door, 'price'));

export const action = saveSettings('price');
export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SettingsPrice() {
  const { product } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <PriceForm key={product.version} product={product} failure={failure} />;
}
