import '~/app/styles/choices.css';
import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { proofFor } from '~/app/features/listener/account/payout-proof';
import { appTitle } from '~/app/features/listener/apps/app-texts';
import { tickedScopes } from '~/app/features/listener/apps/consent-fields';
import { ConsentForm } from '~/app/features/listener/apps/consent-form';
import { isWrongRequest, WrongRequest } from '~/app/features/listener/apps/wrong-request';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

/** The request is in the address (RFC 6749 §4.1.1). */
const requestOf = ({ url }: Door) => Object.fromEntries(url.searchParams);

/** The page on which a person lets an app in, or not (OAuth 2.1). */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'apps')('consent.title');
  const [asked, account, factors] = await Promise.all([
    readRequest(door),
    door.api.accounts.security(),
    door.api.accounts.secondFactor(),
  ]);
  if ('problem' in asked) return data({ title, ...asked }, { status: asked.problem.status });
  return {
    title,
    request: asked,
    proof: { kind: proofFor(account, factors), hasPasskey: factors.passkeys.length > 0 },
  };
});

/** An app's mistake has a page of its own, because ours would ask the person to search or to try again. */
async function readRequest(door: Door) {
  try {
    return await door.api.apps.request(requestOf(door));
  } catch (error) {
    const { code, message, status } = door.context.describeError(error);
    if (!isWrongRequest(code)) throw error;
    return { problem: { code, message, status } };
  }
}

export const action = form(
  sectionAction<string>({
    connect: async (door, { creatorId, code, currentPassword, ...values }) => {
      const input = { ...requestOf(door), creatorId, granted: tickedScopes(values), code, currentPassword };
      return (await door.api.apps.connect(input as never)).url;
    },
    decline: async (door) => (await door.api.apps.decline(requestOf(door))).url,
  }),
  {
    // our policy lets no form lead to other sites, and browsers apply it to redirects as well
    then: (url) => Response.json({ url }, { headers: { refresh: `0;url=${url}` } }),
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
];
export const headers: HeadersFunction = ({ actionHeaders }) => {
  const refresh = actionHeaders.get('refresh');
  return { 'cache-control': 'no-store', ...(refresh && { refresh }) };
};

export default function Authorize() {
  const { t } = useTranslation('apps');
  const paths = usePaths();
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormFailure | { url: string }>();
  if ('problem' in loaded)
    return (
      <SiteShell>
        <div className="wrap form-page">
          <WrongRequest {...loaded.problem} />
        </div>
      </SiteShell>
    );
  const { request, proof } = loaded;
  const { host, isLocal, audience, workplaces } = request;
  const title = appTitle(request, t);
  const name = isLocal && !request.isNamed ? t('local.short') : request.name;
  if (answer && 'url' in answer)
    return (
      <SiteShell>
        <div className="wrap form-page">
          <h1>{t('consent.back', { name })}</h1>
          <p>
            <a className="button" href={answer.url}>
              {t('consent.toApp', { name })}
            </a>
          </p>
        </div>
      </SiteShell>
    );
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{isLocal ? t('consent.headingLocal') : t('consent.heading', { name })}</h1>
        <p className="lead">{t(isLocal ? 'consent.local' : 'consent.host', { name: title, host })}</p>
        <p>{t(`consent.${audience}`)}</p>
        {workplaces.length > 0 ? (
          <ConsentForm request={request} proof={proof} failure={answer} />
        ) : (
          <>
            <p className="notice bad">{t('consent.noPage')}</p>
            <Link className="button" to={paths.claimPageFor()}>
              {t('consent.claim')}
            </Link>
          </>
        )}
        <p className="form-foot">{t('consent.foot')}</p>
      </div>
    </SiteShell>
  );
}
