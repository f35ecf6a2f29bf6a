import { HelpLink } from '~/app/components/help-link';
import '~/app/styles/buying.css';
import { type MetaFunction, redirect } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { GiftCard } from '~/app/features/listener/gifts/gift-card';
import { giftLinkOf, type OpenedGiftData, openedGiftData } from '~/app/features/listener/gifts/opened-gift.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** The target of a gift's link. Only its button redeems the gift, because mail scanners also open links. */
export const loader = page(openedGiftData);

export const action = form((door) => door.api.gifts.redeem(giftLinkOf(door)), {
  then: ({ productId }, { url }) => redirect(pathsFor(url).redeemed(productId)),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function RedeemGiftPage() {
  const { title, problem, gift, links } = useLoaderData<typeof loader>();
  return (
    <SiteShell brand={gift?.brand}>
      <div className="wrap form-page buying">
        <h1>{title}</h1>
        <HelpLink screen="redeemGift" />
        {gift ? (
          <>
            <GiftCard {...gift} to={gift.recipientName} from={gift.giver} />
            <What gift={gift} />
            <GiftAnswer gift={gift} links={links} />
          </>
        ) : (
          <p className="lead" role="status">
            {problem}
          </p>
        )}
      </div>
    </SiteShell>
  );
}

type Gift = NonNullable<OpenedGiftData['gift']>;

function What({ gift: { months, until, isExtended, expires } }: { gift: Gift }) {
  const { t } = useTranslation('buying');
  return (
    <>
      <p>{months === null ? t('gift.open.once') : t('gift.open.months', { count: months })}</p>
      <p className="small muted">
        {until
          ? t(isExtended ? 'gift.open.extends' : 'gift.open.until', { date: until })
          : t('gift.open.expires', { date: expires })}
      </p>
    </>
  );
}

/** Lets the visitor redeem the gift or log in, or says why they can't redeem it. */
function GiftAnswer({ gift, links }: { gift: Gift; links: OpenedGiftData['links'] }) {
  const { t } = useTranslation('buying');
  const failure = useActionData<FormFailure>();
  if (gift.refusal) return <Refused gift={gift} refusal={gift.refusal} />;
  if (gift.isLoggedIn)
    return (
      <AuthForm failure={failure} submit={t('gift.open.submit')}>
        {null}
      </AuthForm>
    );
  return (
    <>
      <p>{t('gift.open.account')}</p>
      <p className="form-foot actions">
        <Link className="button" to={links.register}>
          {t('gift.open.submit')}
        </Link>
        <Link className="button plain" to={links.login}>
          {t('gift.open.logIn')}
        </Link>
      </p>
    </>
  );
}

function Refused({ gift, refusal }: { gift: Gift; refusal: NonNullable<Gift['refusal']> }) {
  const { t } = useTranslation('buying');
  const { subscriptions } = usePaths();
  return (
    <>
      <p className="notice" role="status">
        {refusal.message}
      </p>
      <p className="form-foot actions">
        {refusal.code !== 'billing.own_show' && (
          <Link className="button plain" to={subscriptions}>
            {t(refusal.code === 'gift.own' ? 'gift.open.gifts' : 'gift.open.manage')}
          </Link>
        )}
        <a href={gift.pageUrl}>{t('gift.open.toShow')}</a>
      </p>
    </>
  );
}
