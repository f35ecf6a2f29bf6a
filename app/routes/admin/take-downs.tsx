import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { TakeDownForm, TakenDownList } from '~/app/features/operator/admin/take-downs';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** `?target=show&id=7` fills in the form. */
export const loader = operatorPage('takeDowns.title', async ({ api, url }) => ({
  rows: await api.console.takenDown(),
  target: url.searchParams.get('target') ?? 'episode',
  id: (url.searchParams.get('id') ?? '').slice(0, 15),
}));

export const action = operatorAction({
  takeDown: ({ api }, values) => api.console.takeDown(values as never),
  restore: ({ api }, values) => api.console.restoreTaken(values as never),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function TakeDowns() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure} lead={t('takeDowns.lead')}>
      {({ rows, ...filled }) => (
        <>
          {/* the form is empty again after a take-down */}
          <TakeDownForm key={rows.length} {...filled} typed={failure?.values ?? {}} />
          <TakenDownList rows={rows} />
        </>
      )}
    </ConsolePage>
  );
}
