import { Alert } from '~/app/components/alert';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import { formatNumber } from '~/server/base/formats';
import type { EditionCounts } from '~/server/domain/newsletter/edition-counts';
import type { EditionView } from '~/server/domain/newsletter/list-editions';
import { EditionPill } from './edition-list';
import classes from './newsletter.module.css';

/** Counts of an edition, without a person; while it is being sent, they follow. */
export function EditionResults({ edition }: { edition: EditionView }) {
  const { t } = useTranslation('editions');
  const { status, recipients, counts, url } = edition;
  const isSending = status === 'sending';
  useRefresh(isSending);
  return (
    <>
      <p className={classes.state}>
        <EditionPill status={status} />
        {url && <a href={url}>{t('result.onWeb')}</a>}
      </p>
      {status === 'stopped' && (
        <Alert color="red" variant="light">
          {t('result.stoppedText')}
        </Alert>
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
    </>
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
  const { tally, opens, unsubscribed } = counts;
  const waiting = waitingIn(counts);
  const figures = [
    { name: 'recipients', count: recipients },
    { name: 'sent', count: tally.sent },
    ...(waiting > 0 ? [{ name: 'waiting', count: waiting }] : []),
    { name: 'bounced', count: tally.bounced },
    { name: 'complained', count: tally.complained },
    { name: 'unsubscribed', count: unsubscribed },
    { name: 'opens', count: opens, help: t('result.opensText') },
    ...(tally.failed > 0 ? [{ name: 'failed', count: tally.failed }] : []),
    ...(tally.unknown > 0 ? [{ name: 'unknown', count: tally.unknown, help: t('result.unknownText') }] : []),
    ...(tally.skipped > 0 ? [{ name: 'skipped', count: tally.skipped }] : []),
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, count, help }) => (
        <div key={name}>
          <dt>{t(`result.${name}`)}</dt>
          <dd>{formatNumber(count, locale)}</dd>
          {help && <dd className={classes.fact}>{help}</dd>}
        </div>
      ))}
    </dl>
  );
}

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
