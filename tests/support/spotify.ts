import { spotifyLinks } from '~/db/schema/spotify';
import { partnerUserIdOf } from '~/server/domain/spotify/queries';
import type { Runtime } from '~/server/runtime/runtime';
import type { SelectedPorts } from '~/server/runtime/select-ports';
import type { acting } from './acting';

type Person = { api: Awaited<ReturnType<ReturnType<typeof acting>['as']>> };
type Staged = { runtime: Runtime; spotifySandbox: SelectedPorts['spotifySandbox'] };

/** The local Spotify of a test file, and people who link accounts there like a browser. */
export async function spotifyStage({ runtime, spotifySandbox }: Staged) {
  const sandbox = await spotifySandbox!.get();

  /** Agrees at Spotify's page, or declines without an account. @returns the query with which Spotify returns */
  async function agree(url: string, account: string | null): Promise<{ state: string; code?: string; error?: string }> {
    const body = new URLSearchParams(account === null ? { deny: '1' } : { account });
    const agreed = await sandbox.app.request(url, { method: 'POST', body });
    const back = new URL(agreed.headers.get('location')!);
    return Object.fromEntries(back.searchParams) as never;
  }

  /** Links an account from our page to Spotify's last one. @returns the page that completes the link */
  async function link({ api }: Person, account: string): Promise<string> {
    const { url } = await api.spotify.link();
    return (await api.spotify.finish(await agree(url, account))).url;
  }

  /** The state after linking, for tests about what follows: one address may link few accounts in ten minutes. */
  async function linkedRow(userId: number): Promise<void> {
    const [now, partnerUserId, account] = [runtime.now(), partnerUserIdOf(runtime, userId), `account-${userId}`];
    await sandbox.store.register({ id: partnerUserId, account, entitlements: [] });
    const facts = { partnerUserId, accountKey: account, accountName: account, state: 'linked' as const };
    await runtime.db.insert(spotifyLinks).values({ userId, ...facts, registeredAt: now, syncedAt: now });
  }

  return { sandbox, agree, link, linkedRow };
}
