import type { Context, Hono } from 'hono';
import type { Grant } from './codes';
import type { SandboxClient } from './context';
import { chooserPage, messagePage, PAGE_HEADERS } from './pages';
import { otherPerson, PEOPLE, type Person } from './people';
import { sandboxLanguage } from './texts';

export type Dialog = {
  provider: 'google' | 'facebook';
  client: SandboxClient;
  /** The parameters of the redirect: a code on success, otherwise an error. */
  allow(grant: Grant): Record<string, string>;
  deny(): Record<string, string>;
};

/** The page on which the person decides. Only its buttons redirect, and only to the client's own address. */
export function mountDialog(app: Hono, path: string, dialog: Dialog): void {
  const { provider, client } = dialog;
  const reject = (c: Context) => c.html(messagePage(sandboxLanguage(c), 'badRequest'), 400, PAGE_HEADERS);
  app.get(path, (c) =>
    isKnown(c, client) ? c.html(chooserPage(sandboxLanguage(c), provider), 200, PAGE_HEADERS) : reject(c),
  );
  app.post(path, async (c) => {
    if (!isKnown(c, client)) return reject(c);
    const form = new URLSearchParams(await c.req.text());
    const person = chosenPerson(form, provider);
    const answer = person ? dialog.allow(grantOf(c, client, person)) : dialog.deny();
    const to = new URL(client.redirectUri);
    to.search = new URLSearchParams({ ...answer, state: c.req.query('state') ?? '' }).toString();
    return c.redirect(to.href, 303);
  });
}

/** An unknown client or address gets no redirect, so that this page can't send people to other sites. */
function isKnown(c: Context, { clientId, redirectUri }: SandboxClient): boolean {
  const { client_id, redirect_uri, response_type } = c.req.query();
  return client_id === clientId && redirect_uri === redirectUri && response_type === 'code';
}

function chosenPerson(form: URLSearchParams, provider: Dialog['provider']): Person | null {
  const email = form.get('email')?.trim().toLowerCase();
  if (form.get('choice') === 'other' && email)
    return otherPerson(form.get('name')?.trim() || email, email, form.get('verified') === 'on');
  return PEOPLE[provider].find(({ id }) => id === form.get('choice')) ?? null;
}

function grantOf(c: Context, { clientId, redirectUri }: SandboxClient, person: Person): Grant {
  const { scope = '', nonce = null, code_challenge: challenge = null } = c.req.query();
  return { clientId, redirectUri, person, scopes: scope.split(/[\s,]+/), nonce, challenge };
}
