import { data } from '@remix-run/node';
import { sitePageMetadata } from '~/app/features/site/blog/text-metadata.server';
import { featureRows, limitRows } from '~/app/features/studio/plans/plan-names';
import { planTexts } from '~/app/features/studio/plans/plan-texts';
import type { Door } from '~/app/lib/doors.server';
import { pathsIn } from '~/app/lib/paths';
import { translator } from '~/app/lib/texts.server';
import { CURRENCIES, formatMoney, formatShortMoney } from '~/server/base/money';
import { PLANS, PLANS_FOR_SALE, type Plan } from '~/server/limits/plans';
import type { MoneyPart } from './money-bar';
import { pricingQuestions } from './pricing-questions.server';
import { siteLinks } from './site-links.server';
import { questionsData, softwareData } from './software-data.server';

/** The data of the page of prices, all of it from the file of plans. */
export async function pricingData(door: Door) {
  const { context } = door;
  const t = translator(context.language, 'pricing');
  const plans = PLANS_FOR_SALE.map((code) => PLANS[code]);
  const questions = await pricingQuestions(door);
  const metadata = await sitePageMetadata(
    door,
    { title: t('title'), description: t('description'), pathIn: (prefix) => pathsIn(prefix).pricing },
    ...[softwareData(door), questionsData(questions)],
  );
  const view = {
    metadata,
    links: siteLinks(door),
    takesPayments: context.settings.takesPayments,
    ...plansView(door, plans),
    examples: await examplesOf(door, plans),
    questions,
  };
  return data(view, { headers: { 'x-cache-tags': 'pricing content' } });
}

export type PricingView = Omit<Awaited<ReturnType<typeof pricingData>>['data'], 'metadata'>;

const CURRENCY = CURRENCIES[0];

/** The plans as cards, and the table that compares them. */
export function plansView({ context }: Pick<Door, 'context'>, plans: readonly Plan[]) {
  const { language, locale, settings } = context;
  const t = translator(language, 'pricing');
  const tPlans = translator(language, 'plans');
  const texts = planTexts(tPlans, { locale, currency: CURRENCY, timeZone: 'UTC', transcribes: settings.transcribes });
  const limits = limitRows(settings);
  const yesOrNo = (is: boolean) => tPlans(is ? 'plans.yes' : 'plans.no');
  const rows = [
    { key: 'commission', values: plans.map(({ commission }) => texts.fee(commission)) },
    ...limits.map((row) => ({ key: row, values: plans.map((plan) => texts.limit(plan, row)) })),
    ...featureRows(settings).map((row) => ({
      key: row,
      values: plans.map(({ features }) => yesOrNo(features.includes(row))),
    })),
  ];
  return {
    plans: plans.map((plan, at) => ({
      code: plan.code,
      name: plan.name,
      // the card's heading is the plan's name, which says that it is free
      price: plan.priceMinor === 0 ? formatShortMoney({ minor: 0, currency: CURRENCY }, locale) : texts.price(plan),
      per: plan.priceMinor ? t('perMonth') : null,
      about: tPlans(`about.${plan.code}`, {
        paidProducts: plan.limits.paidProducts ?? 0,
        paidSubscribers: plan.limits.paidSubscribers ?? 0,
      }),
      isByContract: plan.priceMinor === null,
      /** The plan's column of the table, for phones. */
      includes: rows.map(({ key, values }) => ({ label: tPlans(`row.${key}`), value: values[at] })),
    })),
    rows: rows.map(({ key, values }) => ({ label: tPlans(`row.${key}`), values })),
    limits: limits.map((row) => ({ label: tPlans(`row.${row}`), text: t(`limit.${row}`) })),
  };
}

/** What a listener's payment leaves on the first plan that sells, as the ledger divides it; null if none sells. */
export async function examplesOf({ api, context }: Door, plans: readonly Plan[]) {
  const { language, locale, settings } = context;
  const plan = plans.find(({ features, priceMinor }) => priceMinor !== null && features.includes('selling'));
  if (!plan || !settings.takesPayments) return null;
  const t = translator(language, 'pricing');
  const answer = await api.pages.earnings({
    plan: plan.code,
    currency: CURRENCY,
    subscribers: 1,
    donations: 0,
    sales: 0,
  });
  const [income] = answer.year.income;
  if (!income) return null;
  const { amountMinor, vatMinor, commissionMinor, shareMinor } = income.each;
  const money = (minor: number) => formatMoney({ minor, currency: CURRENCY }, locale);
  const fee = planTexts(translator(language, 'plans'), {
    locale,
    currency: CURRENCY,
    timeZone: 'UTC',
    transcribes: settings.transcribes,
  }).fee(plan.commission);
  const parts: MoneyPart[] = [
    { name: 'kept', label: t('example.share'), minor: shareMinor, amount: money(shareMinor) },
    {
      name: 'commission',
      label: t('example.commission', { fee }),
      minor: commissionMinor,
      amount: money(commissionMinor),
    },
    { name: 'vat', label: t('example.vat'), minor: vatMinor, amount: money(vatMinor) },
  ];
  const shown = parts.filter(({ name, minor }) => name !== 'vat' || minor > 0);
  return {
    lead: t('example.lead', { price: money(amountMinor), plan: plan.name }),
    parts: shown,
    note: t(vatMinor > 0 ? 'example.note' : 'example.noteWithoutVat'),
  };
}
