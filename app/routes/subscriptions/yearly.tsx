import '~/app/styles/product.css';
import '~/app/styles/billing.css';
import type { MetaFunction } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';

/**
 * Changes a monthly subscription to a yearly one. The page states the exact amount and dates before the confirmation.
 */
export const loader = page(async ({ api, context, params }) => {
  const id = parseId(params.id);
  const subscription = await api.subscriptions.get({ id });
  const preview = await api.subscriptions.yearlyPreview({ id });
  const title = translator(context.language, 'subscriptions')('yearly.title', { show: subscription.show.name });
  return { title, preview, isTrial: subscription.phase === 'trial' };
});

export const action = form(
  ({ api, params }, values) => api.subscriptions.changeToYearly({ ...values, id: parseId(params.id) } as never),
  { then: (_, { url }) => withDoneMessage(pathsFor(url).subscriptions, 'yearly') },
);

export { stayOffline as clientAction } from '~/app/lib/offline';

import { formatDate } from '~/server/base/formats';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function YearlyPage() {
  const { t, locale } = useTranslation('subscriptions');
  const { title, preview, isTrial } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const { subscriptions } = usePaths();
  const { at, yearly, due, credit, discount, chargedAt, nextAt } = preview;
  const price = formatMoney(yearly, locale);
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1 dir="auto">{title}</h1>
        <p className="lead">{t('yearly.lead')}</p>
        <dl className="amounts">
          <dt>{t('yearly.price')}</dt>
          <dd>{price}</dd>
          {credit.minor > 0 && (
            <>
              <dt>{t('yearly.credit')}</dt>
              <dd>−{formatMoney(credit, locale)}</dd>
            </>
          )}
          {discount.minor > 0 && (
            <>
              <dt>{t('yearly.discount')}</dt>
              <dd>−{formatMoney(discount, locale)}</dd>
            </>
          )}
          <dt className="total">
            {isTrial ? t('yearly.dueLater', { date: formatDate(chargedAt, locale) }) : t('yearly.due')}
          </dt>
          <dd className="total">{formatMoney(due, locale)}</dd>
        </dl>
        <p>{t('yearly.next', { price, date: formatDate(nextAt, locale) })}</p>
        <AuthForm failure={failure} submit={t('yearly.submit')}>
          <input type="hidden" name="at" value={at.toISOString()} />
          <input type="hidden" name="dueMinor" value={due.minor} />
          <input type="hidden" name="yearlyMinor" value={yearly.minor} />
        </AuthForm>
        <p className="form-foot">
          <Link to={subscriptions}>{t('yearly.back')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
