import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { FeaturedList, FeatureForm } from '~/app/features/operator/admin/featured-shows';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** `?id=7` fills in the form. */
export const loader = operatorPage('featured.title', async ({ api, url }) => ({
  rows: await api.console.featured(),
  id: (url.searchParams.get('id') ?? '').slice(0, 15),
}));

export const action = operatorAction({
  feature: ({ api }, values) => api.console.featureShow(values as never),
  unfeature: ({ api }, values) => api.console.unfeatureShow(values as never),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Featured() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure} lead={t('featured.lead')}>
      {({ rows, id }) => (
        <>
          <FeaturedList rows={rows} />
          {/* the form is empty again after a show was added */}
          <FeatureForm key={rows.length} id={id} next={rows.length + 1} typed={failure?.values ?? {}} />
        </>
      )}
    </ConsolePage>
  );
}
