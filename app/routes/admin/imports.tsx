import { ConsoleAddress } from '~/app/features/operator/admin/console-address';
import { ConsolePage } from '~/app/features/operator/admin/console-page';
import { ConsoleTable } from '~/app/features/operator/admin/console-table';
import { ConfirmedForm, RowButton } from '~/app/features/operator/admin/row-forms';
import { useTime } from '~/app/features/operator/admin/use-time';
import type { FormFailure } from '~/app/lib/doors.server';
import { operatorAction, operatorPage } from '~/app/lib/operator-page.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import type { ImportLine } from '~/server/domain/console/imports';

export const loader = operatorPage('imports.title', ({ api }) => api.console.imports());

export const action = operatorAction({
  retry: ({ api }, values) => api.console.retryImport(values as never),
  cancel: ({ api }, values) => api.console.cancelImport(values as never),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Imports() {
  const { t } = useTranslation('admin');
  const { t: tError } = useTranslation('errors');
  const data = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const time = useTime();
  return (
    <ConsolePage data={data} failure={failure} lead={t('imports.lead')}>
      {(imports) => (
        <ConsoleTable
          label={t('imports.title')}
          rows={imports}
          empty={t('imports.empty')}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={[
            { name: t('imports.source'), cell: ({ source }) => <ConsoleAddress address={source} /> },
            { name: t('imports.kind'), cell: ({ kind }) => t(`imports.kinds.${kind}`) },
            {
              name: t('imports.creator'),
              cell: ({ creator, creatorId }) => <Link to={paths.admin(`/creators/${creatorId}`)}>{creator}</Link>,
            },
            {
              name: t('users.state'),
              cell: ({ status, failure: why }) =>
                [t(`imports.states.${status}`), why && tError(why)].filter(Boolean).join(': '),
              wraps: true,
            },
            { name: t('imports.changed'), cell: ({ changedAt }) => time(changedAt), wraps: true },
            { name: t('actions'), cell: (line) => <Actions line={line} /> },
          ]}
        />
      )}
    </ConsolePage>
  );
}

const WORKING = ['in_progress', 'reading', 'checking', 'running'];

function Actions({ line: { kind, id, status, source } }: { line: ImportLine }) {
  const { t } = useTranslation('admin');
  const hidden = { kind, id };
  return (
    <>
      {(WORKING.includes(status) || (status === 'failed' && kind === 'rss')) && (
        <RowButton intent="retry" hidden={hidden} label={t('imports.retryOf', { source })}>
          {t('retry')}
        </RowButton>
      )}
      {status !== 'failed' && (
        <ConfirmedForm
          intent="cancel"
          hidden={hidden}
          title={t('imports.cancelTitle')}
          label={t('imports.cancelOf', { source })}
          effects={t('imports.cancelEffects')}
        >
          {t('imports.cancel')}
        </ConfirmedForm>
      )}
    </>
  );
}
