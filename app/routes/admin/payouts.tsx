import { PayoutFilters, PayoutTable } from '~/app/features/operator/admin/approve-payouts';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { RowButton } from '~/app/features/operator/admin/row-forms';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('payouts.title', async ({ api, url }) => {
  const status = url.searchParams.get('status') ?? 'requested';
  return { status, payouts: await api.console.payouts({ status: status as never }) };
});

export const action = operatorAction({
  approve: ({ api }, { id }) => api.console.approvePayout({ id: id as never }),
  paid: ({ api }, { id }) => api.console.markPayoutPaid({ id: id as never }),
  reverse: ({ api }, { id, reason, file }) =>
    api.console.reversePayout({ id: id as never, reason: reason as never, file: file as never }),
  collect: ({ api }) => api.console.collectTransfers(),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Payouts() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <ConsolePage data={data} failure={failure} lead={t('payouts.lead')}>
      {({ status, payouts }) => (
        <>
          <PayoutFilters status={status} />
          {status === 'approved' && payouts.length > 0 && (
            <RowButton intent="collect">{t('payouts.collect')}</RowButton>
          )}
          <PayoutTable status={status} payouts={payouts} />
        </>
      )}
    </ConsolePage>
  );
}
