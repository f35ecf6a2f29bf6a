import { Button } from '~/app/components/button';
import { IntentButton } from '~/app/components/intent-button';
import { usePaths } from '~/app/lib/paths';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney, type Money } from '~/server/base/money';
import type { NextPlanPayment, PlanOverview, SavedCard } from '~/server/domain/billing/plan-billing/plan-overview';
import { isWithin, type PlanUse } from '~/server/domain/plans/rules';
import { PLANS } from '~/server/limits/plans';
import { planName } from './plan-names';
import classes from './plans.module.css';
import { type PlanTexts, usePlanTexts } from './use-plan-texts';

type Props = {
  overview: PlanOverview;
  next: NextPlanPayment | null;
  credit?: Money | null;
  isPlansPage?: boolean;
};

/** The current plan, its payment, and the possible changes. */
export function PlanNow({ overview, next, credit = null, isPlansPage = false }: Props) {
  const texts = usePlanTexts(overview.currency);
  const { t } = texts;
  const { locale } = useTranslation('plans');
  const { subscription, canManage } = overview;
  return (
    <div className={classes.now}>
      <p className={classes.lead}>{stateOf(overview, texts)}</p>
      {subscription && <Payment subscription={subscription} next={next} texts={texts} />}
      {credit && <p>{t(subscription ? 'now.credit' : 'now.creditWaits', { amount: formatMoney(credit, locale) })}</p>}
      {!canManage && <p className={classes.quiet}>{t('now.ownerOnly')}</p>}
      <Actions overview={overview} isPlansPage={isPlansPage} texts={texts} />
    </div>
  );
}

function stateOf({ plan, trial }: PlanOverview, { t, date }: PlanTexts): string {
  const { isRunning, endsAt, daysLeft } = trial;
  if (isRunning && endsAt) return t('now.trial', { count: daysLeft, date: date(endsAt) });
  if (plan === 'ULTRA') return t('now.contract', { plan: planName(plan) });
  if (plan !== 'FREE') return t('now.plan', { plan: planName(plan) });
  return endsAt ? t('now.freeEnded', { date: date(endsAt) }) : t('now.free');
}

type PaymentProps = {
  subscription: NonNullable<PlanOverview['subscription']>;
  next: NextPlanPayment | null;
  texts: PlanTexts;
};

function Payment({ subscription, next, texts }: PaymentProps) {
  const { t, date } = texts;
  const { endsAt, isOverdue, confirmationUrl, card, plan } = subscription;
  const name = planName(plan);
  return (
    <>
      {isOverdue ? (
        <p className={classes.warning}>{t(confirmationUrl ? 'now.unconfirmed' : 'now.overdue', { plan: name })}</p>
      ) : endsAt ? (
        <p>{t('now.ends', { plan: name, date: date(endsAt) })}</p>
      ) : (
        <p>{nextOf(subscription, next, texts)}</p>
      )}
      {card && (
        <p className={classes.quiet}>
          {t('now.cardLabel')}: {cardText(card, texts)}
        </p>
      )}
    </>
  );
}

function nextOf(
  { priceMinor, periodEnd }: PaymentProps['subscription'],
  next: NextPlanPayment | null,
  texts: PlanTexts,
) {
  const { t, date, money } = texts;
  const { dueMinor, at } = next ?? { dueMinor: priceMinor, at: periodEnd };
  if (dueMinor === 0) return t('now.nextPaid', { date: date(at) });
  return t('now.next', { amount: money(dueMinor), date: date(at) });
}

export const cardText = ({ brand, last4, isExpired }: SavedCard, { t }: PlanTexts): string =>
  t(isExpired ? 'now.cardExpired' : 'now.card', { brand: capitalized(brand), last4 });
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Actions({
  overview,
  isPlansPage,
  texts: { t },
}: {
  overview: PlanOverview;
  isPlansPage: boolean;
  texts: PlanTexts;
}) {
  const paths = usePaths();
  const { plan, subscription } = overview;
  return (
    <div className={classes.actions}>
      {!isPlansPage && (
        <Button component={Link} to={paths.plans} variant="default">
          {t('now.manage')}
        </Button>
      )}
      {plan === 'ULTRA' && (
        <Button component={Link} to={paths.contact} variant="default">
          {t('now.contact')}
        </Button>
      )}
      {subscription?.confirmationUrl && (
        <Button component="a" href={subscription.confirmationUrl} variant="filled">
          {t('now.confirm')}
        </Button>
      )}
      {subscription && (
        <Button
          component={Link}
          to={paths.addCard(subscription.id)}
          variant={subscription.isOverdue && !subscription.confirmationUrl ? 'filled' : 'default'}
        >
          {t('now.changeCard')}
        </Button>
      )}
      {subscription?.endsAt && (
        <Form method="post" action={paths.plans}>
          <IntentButton intent="renew">{t('now.renew')}</IntentButton>
        </Form>
      )}
      {subscription && !subscription.endsAt && (
        <Button component={Link} to={paths.choosePlan('FREE')} variant="subtle" color="gray">
          {t('now.cancel')}
        </Button>
      )}
    </div>
  );
}

const COUNTED: (keyof PlanUse)[] = [
  'paidSubscribers',
  'subscribers',
  'plays',
  'freeProducts',
  'paidProducts',
  'freeEpisodes',
  'contacts',
];
/** From this share of a limit on, its bar warns. */
const NEARLY = 0.9;

/** Usage compared with the limits of the current plan. */
export function PlanUsage({ overview: { plan, use, currency } }: Pick<Props, 'overview'>) {
  const { t } = usePlanTexts(currency);
  const { limits } = PLANS[plan];
  return (
    <ul className={classes.usage}>
      {COUNTED.map((name) => (
        <Usage key={name} label={t(`row.${name}`)} used={use[name]} limit={limits[name]} t={t} />
      ))}
    </ul>
  );
}

function Usage({ label, used, limit, t }: { label: string; used: number; limit: number | null; t: PlanTexts['t'] }) {
  const isOver = !isWithin(used, limit);
  return (
    <li>
      <p className={classes.usageHead}>
        <span>{label}</span>
        <span className={isOver ? classes.warning : undefined}>
          {limit === null ? t('use.unlimited', { used }) : t('use.of', { used, limit })}
        </span>
      </p>
      {limit ? (
        <progress
          className={classes.bar}
          max={limit}
          value={Math.min(used, limit)}
          data-level={isOver ? 'over' : used >= limit * NEARLY ? 'nearly' : undefined}
          aria-label={label}
        />
      ) : null}
      {isOver && <p className={classes.warning}>{t('use.exceeded')}</p>}
    </li>
  );
}
