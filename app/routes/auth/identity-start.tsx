import { redirect } from '@remix-run/node';
import { withNotice } from '~/app/features/listener/auth/identity-notice.server';
import { notFound } from '~/app/features/site/site/not-found.server';
import { page } from '~/app/lib/doors.server';
import { pathsFor, safeNext } from '~/app/lib/paths';
import { PROVIDER_NAMES } from '~/server/domain/accounts/base/kinds';

/**
 * Sends the visitor to Google or Facebook; with `?link`, to connect the account there. Opening this page changes
 * nothing: after the return, the visitor must agree before an account is created or connected.
 */
export const loader = page(async (door) => {
  const { api, context, params, url } = door;
  const provider = params.provider ?? '';
  if (!Object.hasOwn(PROVIDER_NAMES, provider)) throw notFound();
  // the answer arrives at this host, so this host must have the cookie
  if (context.origin !== context.appUrl) throw redirect(context.appUrl + url.pathname + url.search);
  const paths = pathsFor(url);
  const next = safeNext(url.searchParams.get('next'), context.urls.settings);
  const links = url.searchParams.has('link');
  if (!links && context.actor.type === 'user') throw redirect(next ?? paths.dashboard);
  const begun = await api.identities.begin({ provider, next, links } as never).catch((error: unknown) => {
    const { code } = context.describeError(error);
    if (!code.startsWith('identity.')) throw error;
    return { url: withNotice(links ? paths.security : paths.login(next ?? undefined), code) };
  });
  throw redirect(begun.url, { headers: { 'cache-control': 'no-store' } });
});
