import { DmarcReport } from '~/app/components/dmarc-report';
import { ConsoleAddress } from '~/app/features/operator/admin/console-address';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { ConsoleTable } from '~/app/features/operator/admin/console-table';
import { RowButton } from '~/app/features/operator/admin/row-forms';
import { useTime } from '~/app/features/operator/admin/use-time';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = operatorPage('mail.title', async ({ api }) => {
  const [emails, dmarc] = await Promise.all([api.console.failedEmails(), api.console.dmarc()]);
  return { emails, dmarc };
});

export const action = operatorAction({
  resend: ({ api }, { id }) => api.console.resendEmail({ id: id as never }),
  resendAll: ({ api }) => api.console.resendEmails(),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Mail() {
  const { t } = useTranslation('admin');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const time = useTime();
  return (
    <ConsolePage data={data} failure={failure} lead={t('mail.lead')}>
      {({ emails, dmarc }) => (
        <>
          {emails.length > 1 && <RowButton intent="resendAll">{t('mail.resendAll')}</RowButton>}
          <ConsoleTable
            label={t('mail.title')}
            rows={emails}
            empty={t('mail.empty')}
            keyOf={({ id }) => id}
            columns={[
              { name: t('mail.to'), cell: ({ to }) => <ConsoleAddress address={to} /> },
              { name: t('mail.topic'), cell: ({ topic }) => topic.replaceAll('_', ' '), wraps: true },
              { name: t('mail.failure'), cell: ({ failure: why }) => why, wraps: true },
              { name: t('jobs.attempts'), cell: ({ attempts }) => attempts },
              { name: t('jobs.failedAt'), cell: ({ failedAt }) => time(failedAt), wraps: true },
              {
                name: t('actions'),
                cell: ({ id, to }) => (
                  <RowButton intent="resend" hidden={{ id }} label={t('mail.resendTo', { to })}>
                    {t('mail.resend')}
                  </RowButton>
                ),
              },
            ]}
          />
          <DmarcReport rate={dmarc} />
        </>
      )}
    </ConsolePage>
  );
}
