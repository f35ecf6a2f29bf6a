import { DetailsForm } from '~/app/features/studio/product/details-form';
import { type FormFailure, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { loadSettings, saveSettings } from '~/app/lib/settings-page.server';
import { titleMeta } from '~/app/lib/title-meta';

/** The first page of a show's settings: what listeners see, its address, and Discover. */
export const loader = page(async (door) => {
  const [settings, languages] = await Promise.all([loadSettings(door, 'details'), door.api.reference.languages()]);
  return { ...settings, languages, base: door.context.urls.product(settings.product.creator.domain, '') };
});

export const action = saveSettings('details');
export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function SettingsDetails() {
  const { product, languages, base } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return <DetailsForm key={product.version} product={product} languages={languages} base={base} failure={failure} />;
}
