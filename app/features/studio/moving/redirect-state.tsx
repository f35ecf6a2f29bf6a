import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { RedirectView } from '~/server/domain/moving/redirects/queries';
import classes from './moving.module.css';

type Props = { redirect: RedirectView; feedUrl: string; stayingUrl: string; failure?: FormFailure };

/** The redirect's target, and how long the creator can undo it. */
export function RedirectState({ redirect: { url, createdAt, undoUntil }, feedUrl, stayingUrl, failure }: Props) {
  const { t, locale } = useTranslation('moving');
  const paths = usePaths();
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const time = (at: Date) => formatDateTime(at, locale, timeZone);
  return (
    <div className={classes.page}>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message ?? Object.values(failure.fields).flat().join(' ')}
        </Alert>
      )}
      <dl className={classes.pair}>
        <dt>{t('state.from')}</dt>
        <dd dir="ltr">{feedUrl}</dd>
        <dt>{t('state.to')}</dt>
        <dd dir="ltr">{url}</dd>
        <dt>{t('state.since')}</dt>
        <dd>{time(createdAt)}</dd>
      </dl>
      {undoUntil ? (
        <Form method="post" className={classes.form}>
          <p className={classes.text}>{t('state.undoable', { until: time(undoUntil) })}</p>
          <div>
            <Button type="submit" name="intent" value="undo" variant="default">
              {t('state.undo')}
            </Button>
          </div>
        </Form>
      ) : (
        <p className={classes.text}>
          {t('state.final')} <Link to={paths.contact}>{t('state.contact')}</Link>
        </p>
      )}
      <p className={classes.soft}>
        {t('state.staying')} <a href={stayingUrl}>{t('state.stayingLink')}</a>
      </p>
    </div>
  );
}
