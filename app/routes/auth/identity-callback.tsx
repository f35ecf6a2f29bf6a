import { redirect } from '@remix-run/node';
import { withNotice } from '~/app/features/listener/auth/identity-notice.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, page } from '~/app/lib/doors.server';
import { type Paths, pathsFor, pathsIn, safeNext } from '~/app/lib/paths';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import type { FinishedIdentityLogin } from '~/server/domain/accounts/logins/identity-login';

/** The redirect URI of a provider. It shows nothing, because its URL contains the code. */
export const loader = page(async (door) => {
  const target = new URL(await finish(door), door.context.appUrl).href;
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  // an empty fragment replaces Facebook's `#_=_`, which the browser would keep
  throw redirect(target.includes('#') ? target : `${target}#`, { headers });
});

async function finish({ api, context, params, url }: Door): Promise<string> {
  try {
    const finished = await api.identities.finish({ provider: params.provider as never, answer: url.search });
    const next = safeNext(finished.next, context.urls.settings);
    const prefix = finished.language === DEFAULT_LANGUAGE ? '' : (`/${finished.language}` as const);
    return pathAfter(finished, pathsIn(prefix), next);
  } catch (error) {
    const { code, status } = context.describeError(error);
    if (status >= 500) throw error;
    return withNotice(pathsFor(url).login(), code.startsWith('identity.') ? code : 'identity.rejected');
  }
}

function pathAfter({ step, links }: FinishedIdentityLogin, paths: Paths, next: string | null): string {
  if (step.to === 'session') return next ?? paths.dashboard;
  if (step.to === 'code') return paths.loginCode(next ?? undefined);
  if (step.to === 'sign_up') return `${paths.register()}/complete`;
  if (step.to === 'link') return `${paths.security}/connect`;
  if (step.to === 'linked') return withDoneMessage(paths.security, 'identity_linked');
  return withNotice(links ? paths.security : paths.login(next ?? undefined), step.code);
}
