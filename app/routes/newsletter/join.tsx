import '~/app/styles/join.css';
import { data, type MetaFunction } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { PlainCheckField } from '~/app/features/listener/auth/plain-fields';
import { AlsoSubscribe, type Offer, tickedIn } from '~/app/features/listener/emails/also-subscribe';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/**
 * The box of the sign-up form comes again if it was ticked there, and is not ticked: somebody else may have filled in the
 * form with this address.
 */
const hasBox = ({ url }: Door): boolean => url.searchParams.has('tracked');
const linkOf = ({ url }: Door) => ({ token: url.searchParams.get('token') ?? '' });

/** The target of the link in the email. Only its button confirms the address, because mail scanners also open links. */
export const loader = page(async (door) => {
  const t = translator(door.context.language, 'newsletter');
  try {
    const link = await door.api.audience.joinLink(linkOf(door));
    const title = link.isUsed ? t('join.used') : t('join.title', { creator: link.creator });
    return { title, link, hasBox: link.asksTracking && hasBox(door) };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title: t('join.expired'), link: null, hasBox: false };
  }
});

type Joined = { email: string; creator: string; url: string };
type Done = Joined & { ok: true; offer: Offer | null; also: { id: number; name: string; creator: string }[] | null };

async function confirm(door: Door, { isTracked }: Record<string, string>): Promise<Done> {
  const { confirmed, ...joined } = await door.api.audience.confirmJoin({
    ...linkOf(door),
    ...(hasBox(door) && { isTracked: isTracked ?? '' }),
  });
  const newsletters = await listOffered(door, confirmed);
  const offer = newsletters.length > 0 ? { ...joined, confirmed, newsletters } : null;
  return { ok: true, ...joined, offer, also: null };
}

/** Empty if it fails: the address is confirmed already, and an error would say that it is not. */
async function listOffered({ api, context }: Door, confirmed: string): Promise<Offer['newsletters']> {
  try {
    return await api.newsletter.offered({ confirmed });
  } catch (error) {
    if (context.describeError(error).unexpected) context.log.error({ err: error }, 'offer failed');
    return [];
  }
}

async function joinTicked({ api }: Door, values: Record<string, string>): Promise<Done> {
  const input = { confirmed: values.confirmed ?? '', ids: tickedIn(values) };
  const { joined, ...about } = await api.newsletter.joinRecommended(input as never);
  return { ok: true, ...about, offer: null, also: joined };
}

/** Confirms the address, or adds it to the ticked newsletters that the page offers afterwards. */
export const action = form(
  (door, values): Promise<Done> => (values.intent === 'also' ? joinTicked(door, values) : confirm(door, values)),
  { then: (done) => data(done) as never },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function JoinNewsletterPage() {
  const { t } = useTranslation('newsletter');
  const { title, link, hasBox: isAsked } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>() as FormFailure | Done | undefined;
  if (result?.ok) return <JoinedPage done={result} />;
  if (link?.isUsed && !result) return <UsedPage link={link} />;
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{title}</h1>
        <p className="lead">
          {link ? t('join.lead', { creator: link.creator, email: link.email }) : t('join.expiredText')}
        </p>
        {link && (
          <AuthForm failure={result} submit={t('join.submit')}>
            {isAsked ? (
              <PlainCheckField
                name="isTracked"
                label={t('tracking.label', { creator: link.creator })}
                help={t('tracking.help')}
              />
            ) : null}
          </AuthForm>
        )}
      </div>
    </SiteShell>
  );
}

/** The link was used before, perhaps on another device. */
function UsedPage({ link: { creator, email, url } }: { link: { creator: string; email: string; url: string } }) {
  const { t } = useTranslation('newsletter');
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('join.used')}</h1>
        <p className="lead">{t('join.usedText', { creator, email })}</p>
        <p className="form-foot">
          <a href={url}>{t('join.toPage', { creator })}</a>
        </p>
      </div>
    </SiteShell>
  );
}

function JoinedPage({ done: { creator, email, url, offer, also } }: { done: Done }) {
  const { t } = useTranslation('newsletter');
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t('join.done')}</h1>
        <p className="lead" role="status">
          {also === null
            ? t('join.doneText', { creator, email })
            : t(also.length > 0 ? 'also.done' : 'also.none', { creator, email })}
        </p>
        {also !== null && also.length > 0 && (
          <ul className="also-done">
            {also.map((newsletter) => (
              <li key={newsletter.id} dir="auto">
                {t('also.newsletter', newsletter)}
              </li>
            ))}
          </ul>
        )}
        {offer && <AlsoSubscribe offer={offer} />}
        <p className="form-foot">
          <a href={url}>{t('join.toPage', { creator })}</a>
        </p>
      </div>
    </SiteShell>
  );
}
