import type { Runtime } from '~/server/runtime/runtime';
import type { SelectedPorts } from '~/server/runtime/select-ports';
import type { acting } from './acting';

type Person = { api: Awaited<ReturnType<ReturnType<typeof acting>['as']>> };
type Staged = { runtime: Runtime; spotifySandbox: SelectedPorts['spotifySandbox'] };

/** The local Spotify of a test file, and people who link accounts there like a browser. */
export async function spotifyStage({ spotifySandbox }: Staged) {
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

  return { sandbox, agree, link };
}
