import { Button } from '~/app/components/button';
import { PageHeader, Section } from '~/app/components/page-header';
import { PlanChoice } from '~/app/features/studio/plans/plan-choice';
import { planName } from '~/app/features/studio/plans/plan-names';
import classes from '~/app/features/studio/plans/plans.module.css';
import { type PlanTexts, usePlanTexts } from '~/app/features/studio/plans/use-plan-texts';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import type { PlanOverview } from '~/server/domain/billing/plan-billing/plan-overview';
import { TRIAL_LIMITS } from '~/server/limits/plans';

/** Invites creators whose trial has ended, or soon will, to choose a plan. */
export const loader = page(async ({ api, context }) => ({
  title: translator(context.language, 'plans')('goPaid.title'),
  overview: (await api.accounts.me()).creator ? await api.plans.overview() : null,
}));

export const meta = titleMeta;

export default function GoPaid() {
  const { overview } = useLoaderData<typeof loader>();
  const texts = usePlanTexts(overview?.currency ?? 'eur');
  const paths = usePaths();
  const { t } = texts;
  if (overview === null)
    return (
      <>
        <PageHeader title={t('goPaid.title')} lead={t('goPaid.noPage', { days: TRIAL_LIMITS.days })} />
        <Button component={Link} to={paths.creatorPage}>
          {t('goPaid.claim')}
        </Button>
      </>
    );
  return (
    <>
      <PageHeader title={t('goPaid.title')} lead={leadOf(overview, texts)} />
      <div className={classes.sections}>
        <Section title={t('plans.title')}>
          <PlanChoice overview={overview} />
        </Section>
        {overview.plan === 'FREE' && (
          <p>
            <Link to={paths.dashboard}>{t('goPaid.stay')}</Link>
          </p>
        )}
      </div>
    </>
  );
}

function leadOf({ plan, trial, canManage }: PlanOverview, { t, date }: PlanTexts): string {
  if (!canManage) return t('now.ownerOnly');
  if (trial.isRunning) return t('goPaid.trial', { count: trial.daysLeft });
  if (plan === 'FREE' && trial.endsAt) return t('goPaid.ended', { date: date(trial.endsAt) });
  return t('goPaid.paid', { plan: planName(plan) });
}
