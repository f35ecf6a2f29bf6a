import { Button } from '~/app/components/button';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime, formatFileSize } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import type { BackupView } from '~/server/domain/creator-backup/views';
import classes from './moving.module.css';
import { Step } from './step';

/** A backup of all data in one file, before the creator redirects or deletes anything. */
export function BackupStep({ archive }: { archive: BackupView | null }) {
  const { t } = useTranslation('moving');
  const isRunning = archive?.state === 'running';
  useRefresh(isRunning);
  return (
    <Step title={t('archive.title')}>
      <p className={classes.text}>{t('archive.text')}</p>
      {archive && <BackupState archive={archive} />}
      {isRunning ? (
        <noscript>
          <Link to="" reloadDocument>
            {t('archive.refresh')}
          </Link>
        </noscript>
      ) : (
        <Form method="post">
          <Button
            type="submit"
            name="intent"
            value="archive"
            variant={archive?.state === 'ready' ? 'default' : 'filled'}
          >
            {t(archive ? 'archive.again' : 'archive.request')}
          </Button>
        </Form>
      )}
    </Step>
  );
}

function BackupState({ archive }: { archive: BackupView }) {
  const { t, locale } = useTranslation('moving');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const { state, bytes, expectedBytes, readyAt, expiresAt, url } = archive;
  const time = (at: Date | null) => (at ? formatDateTime(at, locale, timeZone) : '');
  const size = (value: number) => formatFileSize(value, locale);
  if (state === 'ready' && url)
    return (
      <p className={classes.text} role="status">
        <a href={url}>{t('archive.download', { size: size(bytes) })}</a>{' '}
        <span className={classes.soft}>{t('archive.ready', { at: time(readyAt), until: time(expiresAt) })}</span>
      </p>
    );
  const done = expectedBytes ? t('archive.progress', { done: size(bytes), total: size(expectedBytes) }) : '';
  return (
    <p className={classes.text} role="status">
      {t(`archive.${state}`)} {state === 'running' && done}
    </p>
  );
}
