import { Alert } from '~/app/components/alert';
import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import { formatNumber } from '~/server/base/formats';
import type { EditionView } from '~/server/domain/newsletter/list-editions';
import { EditionPill } from './edition-list';
import classes from './newsletter.module.css';

/** Counts of an edition, without a person; while it is being sent, they follow. */
export function EditionResults({ edition }: { edition: EditionView }) {
  const { t, locale } = useTranslation('editions');
  const { status, recipients, tally, url, opens, links } = edition;
  const waiting = tally.waiting + tally.leased;
  const isSending = status === 'sending';
  useRefresh(isSending);
  const number = (count: number) => formatNumber(count, locale);
  const figures = [
    { name: 'recipients', count: recipients },
    { name: 'sent', count: tally.sent },
    ...(waiting > 0 ? [{ name: 'waiting', count: waiting }] : []),
    { name: 'bounced', count: tally.bounced },
    { name: 'complained', count: tally.complained },
    { name: 'unsubscribed', count: edition.unsubscribed },
    { name: 'opens', count: opens, help: t('result.opensText') },
    ...(tally.failed > 0 ? [{ name: 'failed', count: tally.failed }] : []),
    ...(tally.unknown > 0 ? [{ name: 'unknown', count: tally.unknown, help: t('result.unknownText') }] : []),
    ...(tally.skipped > 0 ? [{ name: 'skipped', count: tally.skipped }] : []),
  ];
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
          <progress max={recipients} value={recipients - waiting} aria-label={t('state.sending')} />
          <p role="status">{t('result.progress', { done: number(recipients - waiting), total: number(recipients) })}</p>
          <Form method="post">
            <IntentButton intent="cancel" isDangerous>
              {t('result.cancel')}
            </IntentButton>
          </Form>
          <p className={classes.fact}>{t('result.cancelText')}</p>
        </div>
      )}
      <Section title={t('result.title')}>
        <dl className={classes.figures}>
          {figures.map(({ name, count, help }) => (
            <div key={name}>
              <dt>{t(`result.${name}`)}</dt>
              <dd>{number(count)}</dd>
              {help && <dd className={classes.fact}>{help}</dd>}
            </div>
          ))}
        </dl>
      </Section>
      <Section title={t('result.links')}>
        {links.length === 0 ? (
          <p className={classes.fact}>{t('result.noLinks')}</p>
        ) : (
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
                  <td>{number(clicks)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
    </>
  );
}
