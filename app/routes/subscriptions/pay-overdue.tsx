import { type MetaFunction, redirect, redirectDocument } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';

const tokenOf = ({ url }: Door) => url.searchParams.get('token') ?? '';

/**
 * The target of the link in an email about a failed renewal: one tap leads to the page for another card, without a
 * log-in.
 */
export const loader = page(async (door) => {
  const t = translator(door.context.language, 'subscriptions');
  try {
    const problem = await storedCard(door);
    const overdue = await door.api.cards.overdue({ token: tokenOf(door) });
    return { title: t(overdue.confirmationUrl ? 'overdue.confirmTitle' : 'overdue.title'), overdue, problem };
  } catch (error) {
    if (error instanceof Response) throw error;
    const { kind, message } = door.context.describeError(error);
    if (kind !== 'expired') throw error;
    return { title: t('overdue.ended'), overdue: null, problem: message };
  }
});

/**
 * Stores the card after the return from the provider's page.
 * @returns why the card could not be charged
 * @throws a redirect if the checkout is missing
 */
async function storedCard(door: Door): Promise<string | null> {
  const checkout = door.url.searchParams.get('checkout');
  if (!checkout) return null;
  const token = tokenOf(door);
  try {
    await door.api.cards.finishOverdue({ token, checkout });
  } catch (error) {
    const { kind, message, unexpected } = door.context.describeError(error);
    if (unexpected || kind === 'expired') throw error;
    return message;
  }
  throw redirect(`${door.url.pathname.replace(/\.data$/, '')}?token=${encodeURIComponent(token)}`);
}

export const action = form((door) => door.api.cards.startOverdue({ token: tokenOf(door) }), {
  then: ({ url }) => redirectDocument(url),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function PayOverduePage() {
  const { t, locale } = useTranslation('subscriptions');
  const { title, overdue, problem } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const isAccess = overdue?.purpose === 'show';
  const price = overdue ? formatMoney(overdue.price, locale) : '';
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{title}</h1>
        {problem && (
          <p className="notice bad" role="alert">
            {problem}
          </p>
        )}
        {!overdue && (
          <p>
            <Link to={paths.paymentMethods}>{t('tabs.cards')}</Link>
          </p>
        )}
        {overdue?.isPaid && (
          <p className="notice" role="status">
            {t(isAccess ? 'overdue.paid' : 'overdue.plainPaid', { show: overdue.name })}
          </p>
        )}
        {overdue && !overdue.isPaid && (
          <>
            {overdue.confirmationUrl ? (
              <>
                <p className="lead">
                  {t(isAccess ? 'overdue.confirmLead' : 'overdue.plainConfirmLead', { show: overdue.name, price })}
                </p>
                <p>
                  <a className="button" href={overdue.confirmationUrl}>
                    {t('confirm')}
                  </a>
                </p>
                <h2>{t('overdue.otherCard')}</h2>
              </>
            ) : (
              <p className="lead">
                {t(isAccess ? 'overdue.lead' : 'overdue.plainLead', { show: overdue.name, price })}
              </p>
            )}
            <p>{t('addCard.safe')}</p>
            <AuthForm failure={failure} submit={t('overdue.submit')} isSecondary={overdue.confirmationUrl !== null}>
              {null}
            </AuthForm>
          </>
        )}
      </div>
    </SiteShell>
  );
}
