import { useEffect } from 'react';
import { Button } from '~/app/components/button';
import { ContactButton } from '~/app/features/studio/studio/contact-button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link, useFetcher } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { isHostLoss } from '~/server/domain/rss-import/rules';
import type { ImportView } from '~/server/domain/rss-import/views';
import { lossGroups } from './report-groups';
import classes from './rss-import.module.css';

/** The result of an import. `reason`: a sentence that says why it failed. */
export function ImportResult({ found, reason }: { found: ImportView; reason: string | null }) {
  useSeen(found);
  if (found.status === 'imported') return <Imported found={found} />;
  if (found.status === 'failed') return <Failed found={found} reason={reason} />;
  return <Ended found={found} />;
}

/** Marks the result as seen, so that its pop-up does not appear. */
function useSeen({ id, isSeen }: ImportView): void {
  const { submit, state } = useFetcher();
  const { importFeed } = usePaths();
  const isNew = !isSeen && state === 'idle';
  useEffect(() => {
    if (isNew) void submit({ intent: 'seen', id: String(id) }, { method: 'post', action: importFeed });
  }, [isNew, submit, id, importFeed]);
}

function Imported({ found: { id, productId, preview, progress, feedUrl } }: { found: ImportView }) {
  const { t } = useTranslation('imports');
  const paths = usePaths();
  const { total, imported, updated, skipped, failed, incomplete } = progress;
  const counts = { skipped, failed, incomplete };
  const missing = lossGroups(preview.losses.filter(isHostLoss));
  return (
    <div className={classes.proof}>
      <p>
        {t('imported.here', { name: preview.title, done: imported + updated, count: total })}
        {Object.entries(counts).map(([key, count]) => count > 0 && ` ${t(`imported.${key}`, { count })}`)}
      </p>
      {failed + incomplete > 0 && <TryAgain feedUrl={feedUrl} />}
      {missing.map(({ key }) => (
        <p key={key}>{t(key)}</p>
      ))}
      <div className={classes.actions}>
        {productId && (
          <Button component={Link} to={paths.product({ id: productId, kind: 'podcast' })}>
            {t('imported.open')}
          </Button>
        )}
        {productId && (
          <Button component={Link} to={paths.oldFeed({ id: productId, kind: 'podcast' })} variant="default">
            {t('imported.oldFeed')}
          </Button>
        )}
        <Button component={Link} to="?new=1" variant="default">
          {t('imported.another')}
        </Button>
      </div>
      {productId && (
        <Form method="post" className={classes.private}>
          <input type="hidden" name="id" value={id} />
          <p>{t('imported.privateHelp')}</p>
          <Button type="submit" name="intent" value="private" variant="default">
            {t('imported.private')}
          </Button>
        </Form>
      )}
    </div>
  );
}

/** Another import brings what is missing. */
function TryAgain({ feedUrl }: { feedUrl: string }) {
  const { t } = useTranslation('imports');
  return (
    <Form method="post" action="?new=1" className={classes.actions}>
      <input type="hidden" name="url" value={feedUrl} />
      <Button type="submit" name="intent" value="preview">
        {t('failed.again')}
      </Button>
      <p>{t('imported.again')}</p>
    </Form>
  );
}

function Failed({ found, reason }: { found: ImportView; reason: string | null }) {
  const { t } = useTranslation('imports');
  return (
    <div className={classes.proof}>
      <p role="alert">{t('failed.text', { name: found.preview.title, reason: reason ?? '' })}</p>
      <p>{t('failed.help')}</p>
      <div className={classes.actions}>
        <ContactButton>{t('failed.contact')}</ContactButton>
        <Button component={Link} to="?new=1" variant="default">
          {t('failed.again')}
        </Button>
      </div>
    </div>
  );
}

function Ended({ found: { status } }: { found: ImportView }) {
  const { t } = useTranslation('imports');
  return (
    <div className={classes.proof}>
      <p>{t(status === 'expired' ? 'expired.text' : 'cancelled.text')}</p>
      <div className={classes.actions}>
        <Button component={Link} to="?new=1">
          {t('failed.again')}
        </Button>
      </div>
    </div>
  );
}
