import '~/app/styles/product.css';
import '~/app/styles/buying.css';
import { type MetaFunction, redirect } from '@remix-run/node';
import { Joy } from '~/app/components/joy';
import { Bought } from '~/app/features/listener/buying/bought';
import { redeemedData, type ThanksData, thanksData } from '~/app/features/listener/buying/thanks-data.server';
import { GiftCard } from '~/app/features/listener/gifts/gift-card';
import { CopyRow } from '~/app/features/site/public/copy-row';
import { notFound } from '~/app/features/site/site/not-found.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useLoaderData, useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { REDEEMED } from '~/server/base/public-paths';

/**
 * The page after a payment, or with `?redeemed=` and the show's ID, after a gift was redeemed. Buyers whose payment has
 * created their account are logged in, and the page loads again.
 */
export const loader = page(async (door) => {
  const redeemed = door.url.searchParams.get(REDEEMED);
  if (redeemed !== null && !/^[1-9]\d{0,14}$/.test(redeemed)) throw notFound();
  const found = redeemed ? await redeemedData(door, Number(redeemed)) : await thanksData(door);
  if (!found) throw redirect(door.url.pathname.replace(/\.data$/, '') + door.url.search);
  return found;
});

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // also refreshes without JavaScript
  ...(data?.again ? [{ httpEquiv: 'refresh', content: String(data.again) }] : []),
];

export default function ThanksPage() {
  const data = useLoaderData<typeof loader>();
  const { title, text, show, gift } = data;
  const isHappy = data.state === 'done' && data.key !== 'done.card';
  return (
    <SiteShell brand={(show ?? gift)?.brand}>
      <div className="wrap feed-page buying">
        {isHappy && <Joy />}
        <h1>{title}</h1>
        <p className="lead" role="status">
          {text}
        </p>
        {gift && <GiftLink gift={gift} />}
        {show ? <Bought show={show} /> : <NextStep data={data} />}
      </div>
    </SiteShell>
  );
}

function GiftLink({ gift: { url, card, sentTo } }: { gift: NonNullable<ThanksData['gift']> }) {
  const { t } = useTranslation('buying');
  return (
    <>
      <GiftCard {...card} />
      <div className="gift-link">
        <CopyRow text={url} label={t('gift.given.link', { show: card.product.name })} isMain />
        {sentTo && <p className="small muted">{t('gift.given.sent', { email: sentTo })}</p>}
      </div>
    </>
  );
}

function NextStep({ data: { state, key, gift } }: { data: ThanksData }) {
  const { t } = useTranslation('thanks');
  const paths = usePaths();
  const { pathname, search } = useLocation();
  if (state === 'waiting') return null;
  const isOfPlan = key === 'done.plan';
  return (
    <p className="form-foot actions">
      {state === 'hidden' ? (
        <Link className="button" to={paths.login(pathname + search)}>
          {t('logIn')}
        </Link>
      ) : (
        <Link
          className={gift ? 'button plain' : 'button'}
          to={isOfPlan ? paths.dashboard : gift ? paths.subscriptions : paths.myFeed}
        >
          {t(isOfPlan ? 'toStudio' : gift ? 'toGifts' : 'toFeed')}
        </Link>
      )}
    </p>
  );
}
