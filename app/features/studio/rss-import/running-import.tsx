import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { formatDateTime, formatDuration, formatFileSize } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { ImportView } from '~/server/domain/rss-import/views';
import classes from './rss-import.module.css';

/** An import that waits for proof: the creator clicks the emailed link, or puts the code into the feed. */
export function WaitingImport({ found }: { found: ImportView }) {
  const { t, locale } = useTranslation('imports');
  const date = formatDateTime(new Date(found.expiresAt), locale, useCreatorTimeZone(), true);
  return (
    <div className={classes.proof}>
      <p>{t('waiting.what', { count: found.preview.episodes, host: new URL(found.feedUrl).host })}</p>
      {found.sentTo && <p>{t('waiting.byEmail', { address: found.sentTo, date })}</p>}
      <p>{found.sentTo ? t('waiting.orCode') : t('waiting.byCode', { date })}</p>
      <p className={classes.code}>
        <code>{found.proofCode}</code>
        <CopyButton text={found.proofCode} label={t('waiting.copy')} done={t('waiting.copied')} />
      </p>
      <Form method="post" className={classes.actions}>
        <input type="hidden" name="id" value={found.id} />
        <Button type="submit" name="intent" value="check">
          {t('waiting.check')}
        </Button>
        <Button type="submit" name="intent" value="cancel" variant="default">
          {t('waiting.cancel')}
        </Button>
      </Form>
    </div>
  );
}

/** The progress of an import. */
export function ImportProgress({ found }: { found: ImportView }) {
  const { t, locale } = useTranslation('imports');
  const { total, done, failed, bytesDone, bytesTotal, checking, msLeft } = found.progress;
  const size = (bytes: number) => formatFileSize(bytes, locale);
  const isPlanned = found.status === 'in_progress' && total > 0;
  return (
    <div className={classes.proof}>
      <p>{t(found.status === 'confirmed' ? 'waiting.turn' : 'running.lead')}</p>
      <progress className={classes.bar} value={done} max={Math.max(total, 1)} aria-label={t('list.title')} />
      <ul className={classes.facts} aria-live="polite">
        <li className={classes.large}>{t('running.done', { done: Math.max(0, done - failed), total })}</li>
        {failed > 0 && <li>{t('imported.failed', { count: failed })}</li>}
        {isPlanned && bytesDone > 0 && (
          <li>
            {bytesTotal > bytesDone
              ? t('running.bytes', { done: size(bytesDone), total: size(bytesTotal) })
              : t('running.bytesOnly', { done: size(bytesDone) })}
          </li>
        )}
        {msLeft !== null && msLeft > 0 && (
          <li>{t('running.left', { time: formatDuration(Math.ceil(msLeft / 1000), locale) })}</li>
        )}
        {checking > 0 && <li>{t('running.checking', { count: checking })}</li>}
      </ul>
      <Form method="post" className={classes.actions}>
        <input type="hidden" name="id" value={found.id} />
        <Button type="submit" name="intent" value="cancel" variant="default">
          {t('waiting.cancel')}
        </Button>
        <noscript>
          <Link to="" reloadDocument>
            {t('running.refresh')}
          </Link>
        </noscript>
      </Form>
    </div>
  );
}
