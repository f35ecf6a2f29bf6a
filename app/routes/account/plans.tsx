import { redirectDocument } from '@remix-run/node';
import { Section } from '~/app/components/page-header';
import { PlanChange, PlanEnd, PlanFailure } from '~/app/features/studio/plans/plan-change';
import { PlanChoice } from '~/app/features/studio/plans/plan-choice';
import { PlanNow, PlanUsage } from '~/app/features/studio/plans/plan-now';
import classes from '~/app/features/studio/plans/plans.module.css';
import { StartedPlan } from '~/app/features/studio/plans/started-plan';
import type { FormValues } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import type { PlanOverview } from '~/server/domain/billing/plan-billing/plan-overview';
import type { BuyablePlan } from '~/server/limits/plans';

/** `?plan=PRO`: the costs before the choice. `?checkout=`: back from the payment page. `?started`: after a change. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const id = url.searchParams.get('checkout');
  // first, because it records the payment
  const checkout = id ? await api.plans.checkout({ id }) : null;
  const overview = await api.plans.overview();
  const next = overview.subscription ? await api.plans.nextPayment() : null;
  const credit = overview.canManage ? await api.plans.credit() : null;
  const started = url.searchParams.has('started') && overview.subscription ? overview.plan : null;
  const title = translator(context.language, 'plans')('title');
  return { title, overview, next, credit, checkout, started, ...(await askedChange(door, overview)) };
});

/** The change to the plan that the URL names, if the creator can make it now; FREE: the end of the current plan. */
async function askedChange({ api, url, context }: Door, overview: PlanOverview) {
  const asked = url.searchParams.get('plan');
  const none = { preview: null, end: null, problem: null };
  try {
    if (asked === 'FREE' && overview.subscription) return { ...none, end: await api.plans.previewEnd() };
    const plan = overview.offered.find((code) => code === asked);
    return plan ? { ...none, preview: await api.plans.preview({ plan }) } : none;
  } catch (error) {
    const { unexpected, message } = context.describeError(error);
    if (unexpected) throw error;
    return { ...none, problem: message };
  }
}

/** The page after the action: the payment page, or a page of ours. */
type Done = { url: string } | { to: 'started' | 'checkout'; id?: string } | { message: string };

async function startPlan({ api }: Door, { plan, dueMinor }: FormValues, payWith: 'page' | 'saved_card'): Promise<Done> {
  const { url, checkout } = await api.plans.start({ plan: plan as BuyablePlan, dueMinor: dueMinor as never, payWith });
  return url ? { url } : checkout ? { to: 'checkout', id: checkout } : { to: 'started' };
}

export const action = form(
  sectionAction<Done>({
    pay_page: (door, values) => startPlan(door, values, 'page'),
    pay_saved: (door, values) => startPlan(door, values, 'saved_card'),
    change: async ({ api }, values) => {
      const { url } = await api.plans.change(values as never);
      if (url) return { url };
      // a downgrade gets no congratulations
      return Number(values.creditMinor) > 0 ? { message: 'plan_changed' } : { to: 'started' };
    },
    cancel: async ({ api }, { reason = '' }) => {
      await api.plans.cancel({ reason });
      return { message: 'plan_cancelled' };
    },
    renew: async ({ api }) => {
      await api.plans.renew();
      return { message: 'plan_renewed' };
    },
    hide_banner: async ({ api }) => {
      await api.accounts.update({ hidePlanLimitBanner: true });
      return { message: 'banner_hidden' };
    },
  }),
  {
    then: (done, { url }) => {
      const { plans } = pathsFor(url);
      if ('url' in done) return redirectDocument(done.url, 303);
      if ('message' in done) return withDoneMessage(plans, done.message);
      return done.to === 'checkout' ? `${plans}?checkout=${done.id}` : `${plans}?started`;
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Plans() {
  const { t } = useTranslation('plans');
  const { overview, next, credit, checkout, started, preview, end, problem } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const message = failure ?? (problem === null ? undefined : ({ message: problem } as FormFailure));
  const { plan, currency } = overview;
  return (
    <div className={classes.sections}>
      <StartedPlan checkout={checkout} started={started} currency={currency} />
      {preview && <PlanChange preview={preview} overview={overview} failure={message} />}
      {end && <PlanEnd plan={overview.subscription?.plan ?? plan} end={end} overview={overview} failure={message} />}
      {!preview && !end && <PlanFailure failure={message} />}
      <Section title={t('now.title')}>
        <PlanNow overview={overview} next={next} credit={credit} isPlansPage />
      </Section>
      <Section title={t('use.title')}>
        <PlanUsage overview={overview} />
      </Section>
      <Section title={t('plans.title')} id="plans">
        <PlanChoice overview={overview} />
      </Section>
    </div>
  );
}
