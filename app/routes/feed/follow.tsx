import '~/app/styles/product.css';
import { data, type MetaFunction } from '@remix-run/node';
import { Joy } from '~/app/components/joy';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { withQrCodes } from '~/app/features/site/public/app-feeds.server';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { type AppFeed, FeedLinks } from '~/app/features/site/public/feed-links';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import type { PageBrand } from '~/server/domain/creators/rules';

const tokenOf = ({ url }: Door) => url.searchParams.get('token') ?? '';

/** The target of the link in the email. Only its button follows the show, because mail scanners also open links. */
export const loader = page(async (door) => {
  const t = translator(door.context.language, 'follow');
  try {
    const link = await door.api.feeds.followLink({ token: tokenOf(door) });
    return { title: t('confirm.title', { show: link.show }), link };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title: t('confirm.expired'), link: null };
  }
});

type Done = { ok: true; email: string; show: string; isVerified: boolean; feeds: AppFeed[] };

/** Shows the private feed at once and without a login, because the link proves the address. */
export const action = form(
  async (door): Promise<Done> => {
    const { links, email, show, isVerified } = await door.api.feeds.confirmFollow({ token: tokenOf(door) });
    return { ok: true, email, show, isVerified, feeds: await withQrCodes(links, door.request) };
  },
  { then: (done) => data(done) as never },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function FollowPage() {
  const { t } = useTranslation('follow');
  const { title, link } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | Done | undefined;
  const brand = link?.brand ?? null;
  if (result?.ok) return <Followed done={result} brand={brand} />;
  return (
    <SiteShell brand={brand}>
      <div className="wrap form-page">
        {link && <CoverPicture cover={link.cover} alt="" wide={176} first />}
        <h1 dir="auto">{title}</h1>
        {link && (
          <p className="muted" dir="auto">
            {t('confirm.by', { creator: link.creator })}
          </p>
        )}
        <p className="lead">{link ? t('confirm.lead', { email: link.email }) : t('confirm.expiredText')}</p>
        {link && (
          <AuthForm failure={result} submit={t('confirm.submit')}>
            {null}
          </AuthForm>
        )}
      </div>
    </SiteShell>
  );
}

type FollowedProps = { done: Done; brand: PageBrand | null };

function Followed({ done: { show, email, isVerified, feeds }, brand }: FollowedProps) {
  const { t } = useTranslation('follow');
  const paths = usePaths();
  return (
    <SiteShell brand={brand}>
      <div className="wrap feed-page">
        <Joy />
        <h1 role="status">{t('confirm.done', { show })}</h1>
        <p className="lead">{t('confirm.doneText')}</p>
        {!isVerified && <p className="notice">{t('confirm.unverified')}</p>}
        <FeedLinks feeds={feeds} canReplace={false} />
        <p className="form-foot">
          {t('confirm.password', { email })} <a href={paths.forgotPassword}>{t('confirm.setPassword')}</a>
        </p>
      </div>
    </SiteShell>
  );
}
