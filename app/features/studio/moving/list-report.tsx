import { CheckField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { formatDate, numberFormat } from '~/server/base/formats';
import { type Currency, formatMoney } from '~/server/base/money';
import type { ProblemLine, SubscriberImportView } from '~/server/domain/moving/subscriber-imports/queries';
import { CancelForm, importable } from './list-progress';
import classes from './moving.module.css';
import { ProblemLines } from './problem-lines';

type Props = { found: SubscriberImportView; problems: ProblemLine[]; failure?: FormFailure };

/** The expected result of importing a list, before anything is written. */
export function ListReport({ found, problems, failure }: Props) {
  const { t } = useTranslation('moving');
  return (
    <div className={classes.page}>
      <p className={classes.text}>{t('people.readyLead')}</p>
      <Outcomes found={found} />
      <Sums found={found} />
      <ProblemLines found={found} problems={problems} />
      <Confirmation found={found} failure={failure} />
    </div>
  );
}

const KINDS = ['adopt', 'recreate', 'skip'] as const;

/** The number of lines by outcome. */
export function Outcomes({ found: { outcomes, withOldFeed } }: { found: SubscriberImportView }) {
  const { t } = useTranslation('moving');
  const of = (kind: string) => outcomes.reduce((sum, row) => sum + (row.kind === kind ? row.lines : 0), 0);
  return (
    <ul className={classes.shows}>
      {KINDS.filter((kind) => of(kind) > 0).map((kind) => (
        <li key={kind}>
          <span className={classes.show}>{t(`people.${kind}`, { count: of(kind) })}</span>
          {kind === 'skip' && <Reasons outcomes={outcomes} />}
        </li>
      ))}
      {withOldFeed > 0 && <li>{t('people.feeds', { count: withOldFeed })}</li>}
    </ul>
  );
}

function Reasons({ outcomes }: Pick<SubscriberImportView, 'outcomes'>) {
  const { t, locale } = useTranslation('moving');
  const number = numberFormat(locale);
  return (
    <ul className={classes.facts}>
      {outcomes.map(
        ({ reason, lines }) =>
          reason && (
            <li key={reason}>
              {number.format(lines)} · {t(`reason.${reason}`)}
            </li>
          ),
      )}
    </ul>
  );
}

function Sums({ found: { sums, renewals } }: { found: SubscriberImportView }) {
  const { t, locale } = useTranslation('moving');
  if (sums.length === 0) return null;
  const dayText = (day: string) => formatDate(new Date(day), locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <>
      <Section title={t('people.sums')}>
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
      </Section>
      <Section title={t('people.renewals')}>
        <ul className={classes.facts}>
          {renewals.map(({ day, lines }) => (
            <li key={day}>{t('people.renewal', { day: dayText(day), count: lines })}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Confirmation({ found, failure }: Omit<Props, 'problems'>) {
  const { t } = useTranslation('moving');
  const count = importable(found);
  const recreates = found.outcomes.some(({ kind }) => kind === 'recreate');
  if (count === 0)
    return (
      <div className={classes.form}>
        <p className={classes.text}>{t('people.nothing')}</p>
        <CancelForm id={found.id} />
      </div>
    );
  return (
    <div className={classes.form}>
      <IntentForm
        intent="confirm"
        initial={{ stopped: 'false', welcome: 'false' }}
        failure={failure}
        submit={count === 1 ? t('people.confirmOne') : t('people.confirm', { count })}
      >
        <input type="hidden" name="id" value={found.id} />
        <p className={classes.text}>{t('people.charges')}</p>
        {recreates && <CheckField name="stopped" label={t('people.stopped', { show: found.show.name })} />}
        <CheckField name="welcome" label={t('people.welcome')} />
      </IntentForm>
      <CancelForm id={found.id} />
    </div>
  );
}
