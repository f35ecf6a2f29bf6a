import { IntentButton } from '~/app/components/intent-button';
import { Section } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { Pill } from '~/app/components/pill';
import { ScrollRegion } from '~/app/components/scroll-region';
import { TimeZoneNote } from '~/app/components/time-zone-note';
import { formatSeconds } from '~/app/lib/formats';
import { Form, Link } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Page } from '~/server/base/paging';
import type { AttemptView, DeliveryView } from '~/server/domain/webhooks/deliveries';
import classes from './webhooks.module.css';

/** `isOne`: it has one delivery, with whole answers. */
export type EndpointLog = Page<DeliveryView> & { isOne?: boolean };

/** `isSigned`: its messages have ids. `reasons`: the texts of the errors without an answer, by their codes. */
type Props = {
  log: EndpointLog;
  endpointId: string;
  isSigned: boolean;
  isOn: boolean;
  reasons: Record<string, string>;
};

/** What was sent to an endpoint, and what it answered. */
export function DeliveryLog({ log, ...props }: Props) {
  const { t } = useTranslation('webhooks');
  if (log.items.length === 0)
    return (
      <Section title={t('log.title')}>
        <p className={classes.soft}>{t('log.empty')}</p>
      </Section>
    );
  return (
    <Section title={t('log.title')}>
      <p className={classes.soft}>
        {log.isOne ? <Link to={`?endpoint=${props.endpointId}`}>{t('log.all')}</Link> : t('log.text')}
      </p>
      <TimeZoneNote />
      <ul className={classes.log}>
        {log.items.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} isOpen={log.isOne} {...props} />
        ))}
      </ul>
      <Pager {...log} />
    </Section>
  );
}

const TONES = { delivered: 'good', failed: 'bad', waiting: 'waiting' } as const;

type RowProps = Omit<Props, 'log'> & { delivery: DeliveryView; isOpen?: boolean };

function Delivery({ delivery, endpointId, isSigned, isOn, isOpen, reasons }: RowProps) {
  const { t } = useTranslation('webhooks');
  const { at } = useTimes();
  const { id, messageId, type, state, nextAt, attempts, isTest, isRepeat, happenedAt } = delivery;
  const event = t(`event.${type}`);
  return (
    <li>
      <div className={classes.head}>
        <strong>{event}</strong>
        {isTest && <span>{t('log.test')}</span>}
        {isRepeat && <span>{t('log.repeat')}</span>}
        <span>{at(happenedAt)}</span>
        <Pill tone={TONES[state]}>{t(`log.${state}`)}</Pill>
        {nextAt && <span className={classes.soft}>{t('log.next', { date: at(nextAt) })}</span>}
        {isOn && (
          <Form method="post">
            <input type="hidden" name="deliveryId" value={id} />
            <IntentButton intent="redeliver" label={t('log.againOf', { event, date: at(happenedAt) })}>
              {t('log.again')}
            </IntentButton>
          </Form>
        )}
      </div>
      {isSigned && (
        <p className={`${classes.soft} ${classes.address}`}>
          webhook-id: <code>{messageId}</code>
        </p>
      )}
      {attempts.length > 0 && (
        <details open={isOpen}>
          <summary>{t('log.attempts', { count: attempts.length })}</summary>
          <ol className={classes.attempts}>
            {attempts.map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} reasons={reasons} />
            ))}
          </ol>
          {attempts.some(({ isCut }) => isCut) && (
            <p>
              <Link
                to={`?endpoint=${endpointId}&delivery=${id}`}
                aria-label={t('log.wholeOf', { event, date: at(happenedAt) })}
              >
                {t('log.whole')}
              </Link>
            </p>
          )}
        </details>
      )}
    </li>
  );
}

function Attempt({ attempt, reasons }: { attempt: AttemptView; reasons: Props['reasons'] }) {
  const { t } = useTranslation('webhooks');
  const { at } = useTimes();
  const { startedAt, ms, status, failure, answer } = attempt;
  const values = { date: at(startedAt), ms };
  return (
    <li>
      {status === null
        ? t('log.noAnswer', { ...values, reason: reasons[failure ?? ''] ?? '' })
        : t('log.attempt', { ...values, status })}
      {answer !== '' && (
        <ScrollRegion className={classes.answer} label={t('log.body')}>
          <pre>{answer}</pre>
        </ScrollRegion>
      )}
    </li>
  );
}

function useTimes() {
  const { locale } = useTranslation('webhooks');
  const zone = useCreatorTimeZone();
  return { at: (date: Date) => formatSeconds(new Date(date), locale, zone) };
}
