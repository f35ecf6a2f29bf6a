import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { pkce } from '../support/pkce';
import { collectErrors } from './browser-errors';
import { byAddress, newCreator, words } from './journey';

/** An app on the person's machine, which waits for the browser. */
async function openApp() {
  let settle = (_: URL) => {};
  const answered = new Promise<URL>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end('<title>Notes</title><p>Back.');
    if (request.url?.startsWith('/callback')) settle(new URL(request.url, 'http://127.0.0.1'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { callback: `http://127.0.0.1:${port}/callback`, answered, close: () => server.close() };
}

test('a creator connects an app, returns to it, and disconnects it', async ({ page, request }) => {
  const errors = collectErrors(page);
  const t = words('en');
  const app = await openApp();
  const { password } = await newCreator(page);
  const registered = await request.post(`${byAddress(page.url())}/oauth/register`, {
    data: { client_name: 'Notes', redirect_uris: ['http://127.0.0.1/callback'] },
  });
  const { client_id } = await registered.json();
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri: app.callback, state: 'here', scope: 'shows:read' },
    ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256' },
  });

  await page.goto(`/oauth/authorize?${query}`);
  await expect(page.getByRole('heading', { name: t('apps:consent.headingLocal') })).toBeVisible();
  await page.getByLabel(t('apps:consent.proof.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: t('apps:consent.connect') }).click();
  await expect(page).toHaveTitle('Notes');
  const answer = await app.answered;
  expect([answer.searchParams.get('state'), answer.searchParams.get('code')]).toEqual([
    'here',
    expect.stringMatching(/^av_code_/),
  ]);
  app.close();

  await page.goto('/profile/security');
  await page.getByRole('link', { name: t('apps:see') }).click();
  await page
    .getByRole('button', { name: t('apps:disconnectLabel', { name: t('apps:local.named', { name: 'Notes' }) }) })
    .click();
  await expect(page.getByText(t('studio:done.app_disconnected')).first()).toBeVisible();
  await expect(page.getByText(t('apps:none'))).toBeVisible();
  expect(errors).toEqual([]);
});
