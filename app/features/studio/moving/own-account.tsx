import { Button } from '~/app/components/button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { numberFormat } from '~/server/base/formats';
import { type Currency, formatMoney } from '~/server/base/money';
import type { MoveView } from '~/server/domain/moving/account-moves/queries';
import classes from './moving.module.css';

/** Moves subscriptions to the creator's own account: lists those that would move, have moved, and stay. */
export function OwnAccount({ move }: { move: MoveView }) {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  const { hasAccount, sums, latest } = move;
  if (sums.length === 0 && !latest) return null;
  const isRunning = latest?.status === 'running';
  return (
    <div className={classes.form} id="own-account">
      <h3 className={classes.subtitle}>{t('own.title')}</h3>
      <p className={classes.text}>{t('own.text')}</p>
      {!hasAccount && (
        <p className={classes.text}>
          <Link to={paths.sellerAccount}>{t('own.noAccount')}</Link>
        </p>
      )}
      {latest && <LastMove latest={latest} />}
      {hasAccount && !isRunning && sums.length > 0 && <Start sums={sums} />}
    </div>
  );
}

function Start({ sums }: Pick<MoveView, 'sums'>) {
  const { t, locale } = useTranslation('moving');
  return (
    <details>
      <summary>{t('own.open')}</summary>
      <div className={classes.form}>
        <ul className={classes.facts}>
          {sums.map(({ currency, every, lines, minor }) => (
            <li key={`${currency} ${every}`}>
              {t(`people.sum.${every}`, {
                amount: formatMoney({ minor, currency: currency as Currency }, locale),
                count: lines,
              })}
            </li>
          ))}
        </ul>
        <ul className={classes.facts}>
          <li>{t('own.charges')}</li>
          <li>{t('own.stays')}</li>
          <li>{t('own.waits')}</li>
        </ul>
        <Form method="post">
          <Button type="submit" name="intent" value="move">
            {t('own.start')}
          </Button>
        </Form>
      </div>
    </details>
  );
}

function LastMove({ latest: { status, counts, staying } }: { latest: NonNullable<MoveView['latest']> }) {
  const { t, locale } = useTranslation('moving');
  const number = numberFormat(locale);
  const of = (...states: string[]) =>
    counts.reduce((sum, { state, lines }) => sum + (states.includes(state) ? lines : 0), 0);
  const waiting = of('waiting', 'moving');
  const reasons = counts.filter(({ state }) => state === 'stays' || state === 'failed');
  return (
    <>
      <p className={status === 'done' ? classes.good : classes.text}>{t('own.moved', { count: of('moved') })}</p>
      {waiting > 0 && <p className={classes.text}>{t('own.waiting', { count: waiting })}</p>}
      {reasons.length > 0 && (
        <ul className={classes.facts}>
          {reasons.map(({ state, reason, lines }) => (
            <li key={`${state} ${reason}`}>
              {number.format(lines)} · {t(`stay.${state === 'failed' ? 'failed' : (reason ?? 'failed')}`)}
            </li>
          ))}
        </ul>
      )}
      {staying.length > 0 && (
        <details>
          <summary>{t('own.who')}</summary>
          <ul className={classes.shows}>
            {staying.map(({ email, reason }) => (
              <li key={email}>
                <bdi>{email}</bdi>
                <span className={classes.soft}>{t(`stay.${reason ?? 'failed'}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
