import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Language } from '~/locales/languages';
import type { SandboxContext } from './context';
import { INGESTION_STATUSES, statusOf } from './delivery';
import { PAGE_HEADERS, page } from './pages';
import type { SandboxFeed, SandboxUser } from './store';
import { sandboxLanguage, TEXTS } from './texts';

const SHOWN = 200;

/** A page of what this Spotify knows, on which a show gets a status at once. The real one has nothing like it. */
export function mountKnown(app: Hono, { store }: SandboxContext): void {
  app.get('/known', async (c) => {
    const [feeds, users] = await Promise.all([store.listFeeds(SHOWN), store.listUsers(SHOWN)]);
    return c.html(knownPage(sandboxLanguage(c), feeds, users), 200, PAGE_HEADERS);
  });
  app.post('/known', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const status = INGESTION_STATUSES.find((one) => one === form.get('status'));
    if (status === undefined) return c.json({ error: 'unknown status' }, 400);
    await store.setStatus(form.get('uri') ?? '', status);
    return c.redirect(c.req.path, 303);
  });
}

function knownPage(language: Language, feeds: readonly SandboxFeed[], users: readonly SandboxUser[]) {
  const texts = TEXTS[language];
  const shows = feeds.map((feed) => showItem(language, feed));
  const body = html`<h1>${texts.known}</h1><p>${texts.knownLead}</p>
<h2>${texts.shows}</h2>${shows.length === 0 ? html`<p>${texts.noShows}</p>` : html`<ul>${shows}</ul>`}
<h2>${texts.users}</h2>${users.length === 0 ? html`<p>${texts.noUsers}</p>` : html`<ul>${users.map((user) => userItem(language, user))}</ul>`}`;
  return page(language, texts.known, body);
}

function showItem(language: Language, feed: SandboxFeed) {
  const { status, set } = TEXTS[language];
  const current = statusOf(feed);
  const options = INGESTION_STATUSES.map((one) => html`<option ${one === current ? 'selected' : ''}>${one}</option>`);
  return html`<li><strong>${feed.name}</strong><br><code>${feed.uri}</code>
<form method="post"><input type="hidden" name="uri" value="${feed.uri}">
<label>${status.replace('{{name}}', feed.name)}<select name="status">${options}</select></label>
<button>${set}</button></form></li>`;
}

function userItem(language: Language, { account, entitlements }: SandboxUser) {
  const { hearsNothing } = TEXTS[language];
  return html`<li><strong>${account}</strong><br><code>${entitlements.join(', ') || hearsNothing}</code></li>`;
}
