import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import { useBrowserTimeZone } from '~/app/lib/browser-time-zone';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useMay } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { OldFeedReport } from '~/server/domain/rss-import/views';
import classes from './moving.module.css';

type Props = { found: OldFeedReport; reason: string | null };

/** Whether new episodes of the old feed are imported, with the switch for it. `reason`: why the last poll failed. */
export function OldFeedState({ found, reason }: Props) {
  const { t, locale } = useTranslation('moving');
  const timeZone = useBrowserTimeZone() ?? 'UTC';
  const time = (at: Date) => formatDateTime(at, locale, timeZone);
  const { feedUrl, isPrivate, state, endedBecause, checkedAt, nextAt } = found;
  return (
    <Section title={t('old.follow')}>
      <p className={classes.address} dir="ltr">
        {feedUrl}
      </p>
      <p className={classes.text}>{endedBecause ? t(`old.because.${endedBecause}`) : t(`old.state.${state}`)}</p>
      {isPrivate && state === 'following' && <p className={classes.text}>{t('old.private')}</p>}
      {reason && (
        <Alert color={state === 'ended' ? 'red' : 'yellow'} variant="light">
          {reason} {nextAt && t('old.again', { at: time(nextAt) })}
        </Alert>
      )}
      {checkedAt && <p className={classes.soft}>{t('old.checked', { at: time(checkedAt) })}</p>}
      <Buttons found={found} />
    </Section>
  );
}

function Buttons({ found: { state } }: { found: OldFeedReport }) {
  const { t } = useTranslation('moving');
  const may = useMay();
  if (!may('product.manage')) return null;
  return (
    <Form method="post" className={classes.buttons}>
      {state === 'following' ? (
        <Button type="submit" name="intent" value="stop" variant="default">
          {t('old.stop')}
        </Button>
      ) : (
        <Button type="submit" name="intent" value="follow">
          {t('old.start')}
        </Button>
      )}
      <Button type="submit" name="intent" value="check" variant="default">
        {t('old.check')}
      </Button>
    </Form>
  );
}
