import { PageHeader, Section } from '~/app/components/page-header';
import { Pager } from '~/app/components/pager';
import { proofFor } from '~/app/features/listener/account/payout-proof';
import { BalanceSection } from '~/app/features/studio/money/balance';
import classes from '~/app/features/studio/money/money.module.css';
import type { Proof } from '~/app/features/studio/money/payout-review';
import { PayoutTable } from '~/app/features/studio/money/payout-table';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { type Section as FormSection, sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { CURRENCIES } from '~/server/base/money';
import { roleMay } from '~/server/policy/roles';

/** The creator's balance and payouts. */
export const loader = page(async (door) => {
  await requireAbility(door, 'creator.readPayouts');
  const { api, context, url } = door;
  const [money, payouts, proof, { role }] = await Promise.all([
    api.payouts.overview(),
    api.payouts.list({ page: url.searchParams.get('page') ?? 1 } as never),
    proofOf(api),
    api.accounts.me(),
  ]);
  const mayRecommend = role !== null && roleMay(role, 'creator.manageAffiliates');
  const maySell = role !== null && roleMay(role, 'creator.connectAccount');
  const review = url.searchParams.get('review');
  return {
    ...money,
    payouts,
    proof,
    review,
    maySell,
    mayRecommend,
    title: translator(context.language, 'money')('title'),
  };
});

async function proofOf(api: Door['api']): Promise<Proof> {
  const [account, factors] = await Promise.all([api.accounts.security(), api.accounts.secondFactor()]);
  return { kind: proofFor(account, factors), hasPasskey: factors.passkeys.length > 0 };
}

/** One form per currency. */
const requestIn =
  (currency: (typeof CURRENCIES)[number]): FormSection =>
  async ({ api }, { code, currentPassword }) => {
    await api.payouts.request({ currency, code, currentPassword });
    return 'payout_requested';
  };

export const action = form(
  sectionAction(Object.fromEntries(CURRENCIES.map((currency) => [currency, requestIn(currency)]))),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).money, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Money() {
  const { t } = useTranslation('money');
  const { t: tAffiliates } = useTranslation('affiliates');
  const { balances, payouts, proof, review, maySell, mayRecommend } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} help="money" />
      <div className={classes.sections}>
        {balances.map((balance) => (
          <BalanceSection
            key={balance.currency}
            balance={balance}
            failure={failure}
            proof={proof}
            isReviewed={balance.currency === review}
          />
        ))}
        <Section title={t('payouts')}>
          {payouts.total === 0 ? (
            <p className={classes.soft}>{t('noPayouts')}</p>
          ) : (
            <PayoutTable payouts={payouts.items} />
          )}
          <Pager page={payouts.page} pageSize={payouts.pageSize} total={payouts.total} />
        </Section>
        {maySell && (
          <p className={classes.soft}>
            {t('ownStripe')} <Link to={paths.sellerAccount}>{t('ownStripe.open')}</Link>
          </p>
        )}
        {mayRecommend && (
          <Section title={tAffiliates('money.title')}>
            <p className={classes.soft}>{tAffiliates('money.text')}</p>
            <Link to={paths.affiliates}>{tAffiliates('money.open')}</Link>
          </Section>
        )}
        <Section title={t('statements')}>
          <p className={classes.soft}>{t('statementsText')}</p>
          <Link to={`${paths.money}/statement`}>{t('openStatements')}</Link>
        </Section>
      </div>
    </>
  );
}
