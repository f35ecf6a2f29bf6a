import { data, type MetaFunction } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { formatMoney } from '~/server/base/money';

const linkOf = ({ url }: Door) => ({ token: url.searchParams.get('token') ?? '' });

/** The target of the link in the email. Only its button stops the donation, because mail scanners also open links. */
export const loader = page(async (door) => {
  const { language, locale } = door.context;
  const t = translator(language, 'donation');
  try {
    const { creator, amountMinor: minor, currency, isRunning } = await door.api.donations.stoppable(linkOf(door));
    if (!isRunning) return { title: t('stop.done'), lead: t('stop.doneText', { creator }), canStop: false };
    const facts = { creator, amount: formatMoney({ minor, currency }, locale) };
    return { title: t('stop.title', facts), lead: t('stop.lead', facts), canStop: true };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title: t('stop.invalid'), lead: t('stop.invalidText'), canStop: false };
  }
});

/** Redirects to the page, which says that the donation has ended. */
export const action = form((door) => door.api.donations.stopByLink(linkOf(door)), {
  then: () => data({ ok: true }) as never,
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function StopDonationPage() {
  const { t } = useTranslation('donation');
  const { title, lead, canStop } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | { ok: true } | undefined;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1 dir="auto">{title}</h1>
        <p className="lead" role={canStop ? undefined : 'status'}>
          {lead}
        </p>
        {canStop && (
          <AuthForm failure={result?.ok ? undefined : result} submit={t('stop.submit')}>
            {null}
          </AuthForm>
        )}
      </div>
    </SiteShell>
  );
}
