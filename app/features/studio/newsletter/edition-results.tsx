import { Alert } from '~/app/components/alert';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import { formatDate, formatNumber } from '~/server/base/formats';
import type { EditionCounts } from '~/server/domain/newsletter/edition-counts';
import type { EditionView } from '~/server/domain/newsletter/list-editions';
import { EditionPill } from './edition-list';
import classes from './newsletter.module.css';

/** Counts of an edition, without a person; while it is being sent, they follow. */
export function EditionResults({ edition }: { edition: EditionView }) {
  const { t, locale } = useTranslation('editions');
  const timeZone = useCreatorTimeZone();
  const { status, recipients, counts, url, startedAt, isInArchive, resumable } = edition;
  const day = (at: Date) => formatDate(at, locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const isSending = status === 'sending';
  useRefresh(isSending);
  return (
    <div className={classes.results}>
      <p className={classes.state}>
        <EditionPill status={status} />
        {startedAt && <time dateTime={startedAt.toISOString()}>{day(startedAt)}</time>}
        {url && <a href={url}>{t('result.onWeb')}</a>}
      </p>
      <Form method="post" className={classes.actions}>
        <input type="hidden" name="revision" value={edition.revision} />
        <IntentButton intent="duplicate">{t('result.duplicate')}</IntentButton>
        {url && (
          <IntentButton intent={isInArchive ? 'hide' : 'show'}>
            {t(isInArchive ? 'result.hide' : 'result.show')}
          </IntentButton>
        )}
      </Form>
      {status === 'stopped' && (
        <Alert color="red" variant="light">
          {t('result.stoppedText')}
        </Alert>
      )}
      {resumable !== null && resumable > 0 && (
        <Section title={t('result.rest')}>
          <p>{t('result.restText', { count: resumable, number: formatNumber(resumable, locale) })}</p>
          <Form method="post">
            <IntentButton intent="resume">{t('result.resume')}</IntentButton>
          </Form>
        </Section>
      )}
      {isSending && (
        <div className={classes.progress}>
          {counts && recipients !== null && <Progress recipients={recipients} counts={counts} />}
          <Form method="post">
            <IntentButton intent="cancel" isDangerous>
              {t('result.cancel')}
            </IntentButton>
          </Form>
          <p className={classes.fact}>{t('result.cancelText')}</p>
        </div>
      )}
      {counts && recipients !== null ? (
        <>
          <Section title={t('result.title')}>
            <Figures recipients={recipients} counts={counts} />
          </Section>
          <Section title={t('result.links')}>
            <LinkTable links={counts.links} />
          </Section>
        </>
      ) : (
        <p className={classes.fact}>{t('result.hidden')}</p>
      )}
    </div>
  );
}

type Counted = { recipients: number; counts: EditionCounts };
const waitingIn = ({ tally }: EditionCounts): number => tally.waiting + tally.leased;

function Progress({ recipients, counts }: Counted) {
  const { t, locale } = useTranslation('editions');
  const done = recipients - waitingIn(counts);
  const number = (count: number) => formatNumber(count, locale);
  return (
    <>
      <progress max={recipients} value={done} aria-label={t('state.sending')} />
      <p role="status">{t('result.progress', { done: number(done), total: number(recipients) })}</p>
    </>
  );
}

function Figures({ recipients, counts }: Counted) {
  const { t, locale } = useTranslation('editions');
  const { tally, opens, unsubscribed, bounces } = counts;
  const reasons = bounces
    .map(({ reason, count }) => `${t(`result.bounce.${reason}`)}: ${formatNumber(count, locale)}`)
    .join(' · ');
  const waiting = waitingIn(counts);
  const figures: { name: string; count: number; help?: string; isRate?: boolean }[] = [
    { name: 'recipients', count: recipients },
    { name: 'sent', count: tally.sent, isRate: true },
    ...(waiting > 0 ? [{ name: 'waiting', count: waiting }] : []),
    { name: 'opens', count: opens, help: t('result.opensText'), isRate: true },
    { name: 'bounced', count: tally.bounced, isRate: true, help: reasons },
    { name: 'complained', count: tally.complained, isRate: true },
    { name: 'unsubscribed', count: unsubscribed, isRate: true },
    ...(tally.failed > 0 ? [{ name: 'failed', count: tally.failed }] : []),
    ...(tally.unknown > 0 ? [{ name: 'unknown', count: tally.unknown, help: t('result.unknownText') }] : []),
    ...(tally.skipped > 0 ? [{ name: 'skipped', count: tally.skipped }] : []),
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, count, help, isRate }) => (
        <div key={name}>
          <dt>{t(`result.${name}`)}</dt>
          <dd>
            {formatNumber(count, locale)}
            {isRate && count > 0 && recipients > 0 && (
              <span className={classes.fact}>
                {' '}
                {t('result.rate', { percent: percentOf(count, recipients, locale) })}
              </span>
            )}
          </dd>
          {help && <dd className={classes.fact}>{help}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** Several opens of one person count, so that there can be more than recipients. */
const percentOf = (count: number, of: number, locale: Parameters<typeof formatNumber>[1]): string =>
  formatNumber(Math.min(100, Math.round((count * 100) / of)), locale);

function LinkTable({ links }: Pick<EditionCounts, 'links'>) {
  const { t, locale } = useTranslation('editions');
  if (links.length === 0) return <p className={classes.fact}>{t('result.noLinks')}</p>;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('result.link')}</th>
          <th scope="col">{t('result.clicks')}</th>
        </tr>
      </thead>
      <tbody>
        {links.map(({ position, href, clicks }) => (
          <tr key={position}>
            <td>
              <a href={href} rel="noreferrer">
                {href}
              </a>
            </td>
            <td>{formatNumber(clicks, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
