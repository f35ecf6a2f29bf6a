import { expect, test } from 'vitest';
import { members } from '~/db/schema/team';
import { roleMay, type TeamRole } from '~/server/policy/roles';
import { STUDIO_PAGES } from '~/server/policy/studio-pages';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);

const owner = await make.creator({ name: 'Lucía' });
// the page about the show's first published episode has not been opened yet
const show = await make.product(owner, { name: 'Olas y viento', firstPublishSeenAt: null });
// with one show, the promos of all shows lead to its own
await make.product(owner);
const [published, onHold] = await make.episodes(show, 2, (i) => (i === 0 ? {} : { status: 'on_hold' }));
const base = `/podcasts/${show.id}`;

async function tokenOf(role: TeamRole): Promise<string> {
  const { id, token } = await make.person();
  await runtime.db.insert(members).values({ creatorId: owner.creatorId, userId: id, role });
  await runtime.sessions.workFor(token, owner.creatorId);
  return token;
}
const TOKENS = {
  editor: await tokenOf('editor'),
  analyst: await tokenOf('analyst'),
  finance: await tokenOf('finance'),
};

async function open(role: TeamRole, path: string) {
  const { host, origin } = new URL(env.urls.appUrl);
  const headers = { cookie: `token=${TOKENS[role]}`, host, origin };
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  return { status: response.status, html: await response.text() };
}

const PAGES = {
  all: [base, `${base}/published`, `${base}/metric`],
  readers: [
    `${base}/episodes/${published!.id}`,
    `${base}/episodes/${onHold!.id}`,
    `${base}/episodes/${published!.id}/transcript`,
    `${base}/episodes/${published!.id}/metric`,
  ],
  writers: [
    ...['', '/price', '/messages', '/feed', '/glossary', '/danger'].map((page) => `${base}/settings${page}`),
    `${base}/distribution`,
    `${base}/episodes/create`,
    `${base}/episodes/edit/${published!.id}`,
    `${base}/episodes/${published!.id}/chapters`,
    `${base}/episodes/${published!.id}/promo`,
  ],
};
/** The pages of the navigation that the role may open, or may not. */
const studioPages = (role: TeamRole, isOpen: boolean) =>
  Object.values(STUDIO_PAGES)
    .filter(({ may }) => (may === null || roleMay(role, may)) === isOpen)
    .map(({ path }) => `/${path}`);

const OPEN: Record<TeamRole, string[]> = {
  analyst: [...studioPages('analyst', true), ...PAGES.all, ...PAGES.readers, `${base}/promotions`],
  finance: [...studioPages('finance', true), ...PAGES.all],
  editor: [...studioPages('editor', true), ...PAGES.all, ...PAGES.readers, `${base}/promotions`, ...PAGES.writers],
};
const CLOSED: Record<TeamRole, string[]> = {
  analyst: [...studioPages('analyst', false), ...PAGES.writers, `${base}?status=deleted`],
  finance: [...studioPages('finance', false), ...PAGES.writers, ...PAGES.readers, `${base}?status=deleted`],
  editor: studioPages('editor', false),
};

/** Intents that concern the member's own account or membership. */
const OWN = ['leave', 'resend'];

/** The targets of a member's buttons and links on a page: forms that change content, and pages. */
function controlsIn(html: string) {
  const intents = [...html.matchAll(/<button[^>]*name="intent"[^>]*value="([^"]*)"/g)].map(([, value]) => value!);
  const links = [...html.matchAll(/<a\b[^>]*\bhref="(\/[^"#]*)/g)].map(([, path]) => path!.replaceAll('&amp;', '&'));
  return { intents: intents.filter((intent) => !OWN.includes(intent)), links };
}

test.each(['analyst', 'finance'] as const)('%s sees no control that would be refused, on any page', async (role) => {
  for (const path of OPEN[role]) {
    const { status, html } = await open(role, path);
    const { intents, links } = controlsIn(html);

    expect([path, status]).toEqual([path, 200]);
    expect([path, intents]).toEqual([path, []]);
    expect([path, links.filter((link) => CLOSED[role].includes(link))]).toEqual([path, []]);
  }
});

test.each(['editor', 'analyst', 'finance'] as const)('pages that %s may not open answer 403', async (role) => {
  for (const path of CLOSED[role]) expect([path, (await open(role, path)).status]).toEqual([path, 403]);
});

test('an editor opens every page, and their list has its controls', async () => {
  // for editors, unlike other members, this page opens by itself
  expect((await open('editor', `${base}/published`)).status).toBe(200);
  for (const path of OPEN.editor) expect([path, (await open('editor', path)).status]).toEqual([path, 200]);
  const { intents, links } = controlsIn((await open('editor', base)).html);

  expect(intents).toContain('hold');
  expect(links).toEqual(
    expect.arrayContaining([`${base}/settings`, `${base}/distribution`, `${base}/episodes/create`]),
  );
});

test('an editor reads the prices of a show, and only its owner changes them', async () => {
  const paid = await make.product(owner, { priceMinor: 500, annualPriceMinor: 5000 });
  const path = `/podcasts/${paid.id}/settings`;

  const { html } = await open('editor', `${path}/price`);

  expect(html).toContain('€50.00');
  expect(html).toContain('Only the owner of the page changes prices.');
  expect(html).not.toMatch(/name="(?:price|annualPrice|planType|currency)"/);
  expect((await open('editor', `${path}/danger`)).html).not.toContain('/free"');
});
