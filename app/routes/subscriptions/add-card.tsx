import '~/app/styles/product.css';
import '~/app/styles/billing.css';
import { type MetaFunction, redirectDocument } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const subscriptionIn = (url: URL) => {
  const text = url.searchParams.get('subscription');
  return text === null ? undefined : parseId(text);
};

/** Redirects to the payment provider's page, where the user enters the card (spec §2.2). */
export const loader = page(async ({ api, context, url }) => {
  const id = subscriptionIn(url);
  const show = id === undefined ? null : (await api.subscriptions.get({ id })).show.name;
  // visitors must log in first
  await api.accounts.me();
  return { title: translator(context.language, 'subscriptions')('addCard.title'), show };
});

export const action = form(({ api, url }) => api.cards.start({ subscription: subscriptionIn(url) }), {
  then: ({ url }) => redirectDocument(url),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];

export default function AddCardPage() {
  const { t } = useTranslation('subscriptions');
  const { title, show } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const { paymentMethods } = usePaths();
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{title}</h1>
        <p className="lead">{show === null ? t('addCard.lead') : t('addCard.leadOne', { show })}</p>
        <p>{t('addCard.safe')}</p>
        {show === null && <p className="small muted">{t('addCard.except')}</p>}
        <AuthForm failure={failure} submit={t('addCard.submit')}>
          {null}
        </AuthForm>
        <p className="form-foot">
          <Link to={paymentMethods}>{t('cards.title')}</Link>
        </p>
      </div>
    </SiteShell>
  );
}
