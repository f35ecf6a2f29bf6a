import { Alert } from '~/app/components/alert';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import type { ExportState } from '~/server/domain/accounts/personal-data/export-data';
import { SectionForm } from './section-form';
import classes from './settings.module.css';

const EMPTY = {};

type Props = { email: string; archive: ExportState | null; failure?: FormFailure };

/** Requests an export. Its link is sent by email only, because the person at this browser may not be the owner. */
export function ExportSection({ email, archive, failure }: Props) {
  const { t } = useTranslation('account');
  return (
    <SectionForm
      intent="export"
      title={t('export.title')}
      initial={EMPTY}
      failure={failure}
      submit={t('export.submit')}
    >
      <p className={classes.name}>{t('export.what')}</p>
      <p className={classes.name}>{t('export.how', { email })}</p>
      {archive && <LastExport archive={archive} />}
    </SectionForm>
  );
}

function LastExport({ archive: { state, expiresAt } }: { archive: ExportState }) {
  const { t, locale } = useTranslation('account');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const date = expiresAt ? formatDateTime(expiresAt, locale, timeZone, true) : '';
  return (
    <Alert color={state === 'failed' ? 'red' : 'blue'} variant="light" role="status">
      {t(`export.${state}`, { date })}
    </Alert>
  );
}
