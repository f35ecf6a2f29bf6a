import { Button } from '~/app/components/button';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import type { PlanOverview } from '~/server/domain/billing/plan-billing/plan-overview';
import { type BuyablePlan, PLANS, PLANS_FOR_SALE, type Plan, type PlanCode } from '~/server/limits/plans';
import { featureRows, limitRows } from './plan-names';
import classes from './plans.module.css';
import { type PlanTexts, usePlanTexts } from './use-plan-texts';

type Props = { overview: PlanOverview };

/** The plans side by side, with a button for each that the creator can change to, and a table that compares them. */
export function PlanChoice({ overview }: Props) {
  const texts = usePlanTexts(overview.currency);
  return (
    <>
      <ul className={classes.cards}>
        {PLANS_FOR_SALE.map((code) => (
          <PlanCard key={code} plan={PLANS[code]} overview={overview} texts={texts} />
        ))}
      </ul>
      <p className={classes.note}>{texts.t('plans.vat')}</p>
      <Comparison overview={overview} texts={texts} />
    </>
  );
}

function PlanCard({ plan, overview, texts }: Props & { plan: Plan; texts: PlanTexts }) {
  const { t, price } = texts;
  const { code, name, priceMinor, limits } = plan;
  const isCurrent = overview.plan === code;
  const { paidProducts, paidSubscribers } = limits;
  return (
    <li className={classes.card} data-current={isCurrent || undefined}>
      <h3>{name}</h3>
      <p className={classes.price}>
        <strong>{price(plan)}</strong>
        {priceMinor ? <span>{t('plans.month')}</span> : null}
      </p>
      <p className={classes.about}>
        {t(`about.${code}`, { paidProducts: paidProducts ?? 0, paidSubscribers: paidSubscribers ?? 0 })}
      </p>
      {isCurrent && <p className={classes.current}>{t(overview.trial.isRunning ? 'plans.trial' : 'plans.current')}</p>}
      <ChooseButton code={code} overview={overview} texts={texts} />
    </li>
  );
}

function ChooseButton({ code, overview, texts: { t } }: Props & { code: PlanCode; texts: PlanTexts }) {
  const paths = usePaths();
  if (code === 'ULTRA')
    return (
      <Button component={Link} to={paths.contact} variant="default" fullWidth>
        {t('plans.contact')}
      </Button>
    );
  if (!overview.offered.includes(code as BuyablePlan)) return null;
  const isMain = code === 'PRO' || overview.offered.length === 1;
  return (
    <Button component={Link} to={paths.choosePlan(code)} variant={isMain ? 'filled' : 'default'} fullWidth>
      {t('plans.choose', { plan: PLANS[code].name })}
    </Button>
  );
}

/** Lets the keyboard scroll a table that is wider than the screen. */
function PlanLink({ code, overview }: Props & { code: PlanCode }) {
  const paths = usePaths();
  const { name } = PLANS[code];
  if (code === 'ULTRA') return <Link to={paths.contact}>{name}</Link>;
  return overview.offered.includes(code as BuyablePlan) ? <Link to={paths.choosePlan(code)}>{name}</Link> : name;
}

function Comparison({ overview, texts: { t, fee, limit, price } }: Props & { texts: PlanTexts }) {
  const studio = useStudio();
  const plans = PLANS_FOR_SALE.map((code) => PLANS[code]);
  const rows: [key: string, value: (plan: Plan) => string][] = [
    ['commission', ({ commission }) => fee(commission)],
    ...limitRows(studio).map((row): [string, (plan: Plan) => string] => [row, (plan) => limit(plan, row)]),
    ...featureRows(studio).map((row): [string, (plan: Plan) => string] => [
      row,
      ({ features }) => t(features.includes(row) ? 'plans.yes' : 'plans.no'),
    ]),
  ];
  return (
    <section className={classes.scroll} aria-labelledby="plans-table">
      <table className={classes.table}>
        <caption id="plans-table">{t('plans.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('plans.feature')}</th>
            {plans.map((plan) => (
              <th key={plan.code} scope="col">
                <PlanLink code={plan.code} overview={overview} />
                <span>{price(plan)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, value]) => (
            <tr key={key}>
              <th scope="row">{t(`row.${key}`)}</th>
              {plans.map((plan) => (
                <td key={plan.code}>{value(plan)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
