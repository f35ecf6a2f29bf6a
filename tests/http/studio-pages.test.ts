import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { subscriptions } from '~/db/schema/billing';
import { promos } from '~/db/schema/episode-parts';
import { listeningDays } from '~/db/schema/listening';
import { DAYS, earlier, later, utcDay } from '~/server/base/time';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';
import { runUnused } from '../support/unused-payments';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, { name: 'Olas y viento' });
const [published] = await make.episodes(show, 4, (i) =>
  i === 0 ? {} : { status: (['scheduled', 'on_hold', 'failed'] as const)[i - 1]!, name: `Hidden ${i}` },
);

const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${owner.token}`, host, origin };

async function read(path: string): Promise<string> {
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

async function send(path: string, fields: Record<string, string>): Promise<Response> {
  return app.request(`${env.urls.appUrl}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
}

/** The elements that only a browser without JavaScript shows. */
async function withoutScript(path: string): Promise<string> {
  const html = await read(path);
  return [...html.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map(([, part]) => part).join('\n');
}

test('without JavaScript, a show states what a deletion loses before its button shows', async () => {
  const html = await withoutScript(`/podcasts/${show.id}/settings/danger`);

  expect(html).toMatch(/<details[^>]*>.*This (?:permanently )?deletes.*<button[^>]*type="submit".*<\/details>/s);
  expect(html.replace(/<details.*?<\/details>/gs, '')).not.toContain('<button');
});

test('the studio counts all episodes of a show, not only listed ones', async () => {
  expect(await withoutScript(`/podcasts/${show.id}/settings/danger`)).toContain('its feed and 4 episodes');
  expect(await read('/products')).toMatch(/4 episodes/);
  expect(await read(`/podcasts/${show.id}`)).toMatch(/4 episodes/);
});

test('the list of shows says the state of each, how many people it reaches, and its plays of four weeks', async () => {
  const day = (ago: number) => utcDay(earlier(runtime.now(), DAYS(ago)));
  const own = { creatorId: owner.creatorId, productId: show.id };
  await runtime.db.insert(listeningDays).values([
    { ...own, day: day(0), listens: 200, downloads: 1000 },
    { ...own, day: day(27), downloads: 34 },
    { ...own, day: day(28), downloads: 9000 },
  ]);

  expect(await read('/products')).toMatch(
    /<strong>Olas y viento<.*?<dt>Followers<.dt><dd>0<.dd><dt>Plays in 28 days<.dt><dd>1,234<.dd>.*?>Live</s,
  );
});

test('without JavaScript, links open the navigation on phones and list the shows', async () => {
  expect(await withoutScript('/products')).toContain('href="#studio-nav"');
  expect(await read('/products')).toMatch(
    new RegExp(`<details[^>]*><summary.*href="/podcasts/${show.id}".*</details>`, 's'),
  );
});

test('without JavaScript, no address is “checking” for ever', async () => {
  const html = await (await send('/products/create', { name: 'Viento' })).text();

  expect(html).toContain('/p/viento');
  const visible = html.replace(/<(script)\b.*?<\/\1>|<(\w+) data-needs-script[^>]*>.*?<\/\2>/gs, '');
  expect(visible).not.toContain('checking…');
});

test.each([
  ['/products/create', 'slug', 'bad slug!'],
  [`/podcasts/${show.id}/episodes/create`, 'season', '-1'],
])('without JavaScript, the closed fields of %s are open if one has an error', async (path, field, value) => {
  const groupIn = (html: string) =>
    html.match(/<details.*?<\/details>/gs)!.find((group) => group.includes(`name="${field}"`));

  expect(groupIn(await read(path))).not.toMatch(/^<details[^>]* open=/);
  const html = await (await send(path, { [field]: value })).text();

  expect(groupIn(html)).toMatch(/^<details[^>]* open="".*aria-invalid="true"/s);
});

test('a text over its limit is kept whole, and says how much is too many', async () => {
  const html = await (await send('/products/create', { name: 'x'.repeat(150) })).text();

  expect(html).toContain(`value="${'x'.repeat(150)}"`);
  expect(html).toContain('150 of 100 characters: 50 too many');
});

test('the page about the first published episode opens once by itself, and stays at its address', async () => {
  const fresh = await make.product(owner, { name: 'Recién <b>nacido</b>', firstPublishSeenAt: null });
  const open = (path: string, over: Record<string, string> = {}) =>
    app.request(`${env.urls.appUrl}${path}`, { headers: { ...headers, ...over } });
  const path = `/podcasts/${fresh.id}`;

  expect((await open(path)).status).toBe(200);
  expect(await read(`${path}/published`)).toContain('Nothing is published yet');
  await make.episodes(fresh, 1, () => ({ name: 'Uno' }));
  expect((await open(path, { 'sec-purpose': 'prefetch' })).status).toBe(200);
  expect((await open(`/podcasts/${show.id}`)).status).toBe(200);
  expect((await open(`${path}/episodes/create`)).status).toBe(200);
  const moved = await open(`/es${path}`);
  expect([moved.status, moved.headers.get('location')]).toEqual([302, `/es${path}/published`]);
  const html = await read(`${path}/published`);
  for (const part of ['Recién &lt;b&gt;nacido', '“Uno”', 'https://wa.me/?text=', `href="${path}/distribution`])
    expect(html).toContain(part);
  expect((await open(path)).status).toBe(200);
  expect((await open('/dashboard')).status).toBe(200);
  expect((await open(`${path}/published`)).status).toBe(200);
});

test('without JavaScript, ticked episodes are changed, and the list offers to undo it', async () => {
  const list = `/podcasts/${show.id}`;
  const changed = await send(list, { intent: 'private', [`select.${published!.id}`]: 'on' });
  const to = changed.headers.get('location')!;
  const batchId = new URL(to, origin).searchParams.get('batch')!;
  const html = await read(to);
  const none = await send(list, { intent: 'hold' });
  const undone = await send(list, { intent: 'undo', batchId });
  const again = await send(list, { intent: 'undo', batchId });

  expect([changed.status, undone.status, none.status, again.status]).toEqual([302, 302, 400, 404]);
  expect(html).toMatch(/1 episode is private now.*value="undo"/s);
  expect(await none.text()).toContain('Select at least one episode.');
  expect(await again.text()).toContain('This can no longer be undone.');
  expect((await owner.api.episodes.get({ id: published!.id })).type).toBe('public');
});

test('without JavaScript, a deleted episode is listed and restored, and a copy is made', async () => {
  const page = `/podcasts/${show.id}/episodes/${published!.id}`;
  const deleted = await send(page, { intent: 'delete' });
  const list = await read(deleted.headers.get('location')!);
  const restorable = await read(`/es/podcasts/${show.id}?status=deleted`);
  const restored = await send(`/podcasts/${show.id}`, { intent: 'restore', id: String(published!.id) });
  const copied = await send(page, { intent: 'duplicate' });

  expect(list).toContain('1 episode deleted. You can restore it for 7 days.');
  expect(restorable).toMatch(new RegExp(`${published!.name}.*value="restore"`, 's'));
  expect(restored.headers.get('location')).toBe(`/podcasts/${show.id}?done=episode_restored`);
  expect(copied.headers.get('location')).toMatch(/\/episodes\/edit\/\d+\?done=episode_duplicated$/);
});

test('the list is filtered by type, and a page after the last one leads to the last', async () => {
  const many = await make.product(owner, { slug: 'many' });
  await make.episodes(many, 25, (i) => ({ type: i === 3 ? 'trailer' : 'public' }));
  const url = `${env.urls.appUrl}/account/podcasts/${many.id}/episodes?page=9&ordering=number`;

  const trailers = await read(`/podcasts/${many.id}?type=trailer`);
  const beyond = await app.request(url, { headers });

  expect(trailers).toContain('Episodio 4<');
  expect(trailers).not.toContain('Episodio 5<');
  expect(beyond.headers.get('location')).toBe(`/account/podcasts/${many.id}/episodes?page=2&ordering=number`);
});

const row = (text: string, author: string) => ({ text, author });
const asFields = (rows: { text: string; author: string }[]) =>
  Object.fromEntries(
    rows.flatMap(({ text, author }, i) => [
      [`testimonials.${i}.text`, text],
      [`testimonials.${i}.author`, author],
    ]),
  );

test('the preview renders what the form sends, in a frame of our own pages only', async () => {
  const sent = { name: 'Ensayo', ctaTitle: '<script>alert(1)</script>', ctaUrl: 'javascript:alert(1)' };
  const response = await send('/es/creator-page/preview', { ...sent, ...asFields([row('Muy bueno', 'Una oyente')]) });
  const html = await response.text();

  expect(response.status).toBe(200);
  for (const part of ['Ensayo', 'Muy bueno', '&lt;script&gt;alert(1)&lt;/script&gt;', 'inert=""'])
    expect(html).toContain(part);
  expect(html).not.toMatch(/javascript:alert|<script/);
  expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  const other = await app.request(`${env.urls.appUrl}/creator-page`, { headers });
  expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(await read('/creator-page')).not.toContain('Ensayo');
});

test('each part of the creator page is saved alone, and keeps what was typed after an error', async () => {
  const before = await owner.api.creators.mine();
  const saved = await send('/creator-page/sections', { aboutTitle: 'Sobre mí', name: 'Otra', 'links.0.label': 'x' });
  const after = await owner.api.creators.mine();
  const failed = await send('/es/creator-page/support', { donationText: 'Para cables', donationGoal: 'mucho' });
  const html = await failed.text();

  expect(saved.headers.get('location')).toBe('/creator-page/sections?done=page_saved');
  expect(after).toMatchObject({ aboutTitle: 'Sobre mí', name: before?.name, links: before?.links });
  expect(failed.status).toBe(400);
  expect(html).toMatch(/Para cables[\s\S]*value="mucho"|value="mucho"[\s\S]*Para cables/);
  expect((await owner.api.creators.mine())?.donationText).toBe(before?.donationText);
  for (const part of ['', '/look', '/sections', '/links', '/support'])
    expect(await read(`/creator-page${part}`)).toContain('aria-current="page"');
  for (const part of ['/profile', '/other'])
    expect((await app.request(`${env.urls.appUrl}/creator-page${part}`, { headers })).status).toBe(404);
});

test('without JavaScript, buttons move and remove testimonials before the page is saved', async () => {
  const fields = asFields([row('Uno', 'A'), row('Dos', 'B')]);
  const textsIn = (html: string) => [...html.matchAll(/<textarea[^>]*name="testimonials\.\d\.text"[^>]*>([^<]*)/g)];
  const after = async (intent: string) => {
    const html = await (await send('/creator-page/links', { ...fields, intent })).text();
    return textsIn(html).map(([, text]) => text);
  };

  expect(await after('testimonials.1.up')).toEqual(['Dos', 'Uno', '']);
  expect(await after('testimonials.0.remove')).toEqual(['Dos', '']);
  const saved = await send('/creator-page/links', fields);
  expect(saved.status).toBe(302);
  expect((await owner.api.creators.mine())?.testimonials.map(({ text }) => text)).toEqual(['Uno', 'Dos']);
  const wrong = await send('/creator-page/links', { ...fields, 'testimonials.1.author': '' });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('This field is required.')]);
});

test('an episode says whether it is emailed to subscribers, also without JavaScript', async () => {
  const form = await read(`/podcasts/${show.id}/episodes/create`);
  expect(form).toMatch(/<input[^>]*name="sendEmail"[^>]*checked=""|<input[^>]*checked=""[^>]*name="sendEmail"/);

  const edit = `/podcasts/${show.id}/episodes/edit/${published!.id}`;
  const values = { name: published!.name, description: 'Sea', type: 'public', publish: 'keep' };
  const saved = await send(edit, { ...values, sendEmail: 'false' });
  expect(saved.status).toBe(302);
  expect(await read(edit)).not.toMatch(/<input[^>]*checked=""[^>]*name="sendEmail"|name="sendEmail"[^>]*checked=""/);
});

test('the text of a transcript is read on its page, and a very long one says where its rest is', async () => {
  const upload = (passages: number) => {
    const text = Array.from({ length: passages }, (_, i) => `Passage ${i + 1}.`).join('\n\n');
    const content = Buffer.from(text).toString('base64');
    return owner.api.episodes.uploadTranscript({ id: published!.id, fileName: 'talk.txt', content });
  };
  const path = `/podcasts/${show.id}/episodes/${published!.id}/transcript`;

  await upload(40);
  const whole = await read(path);
  await upload(301);
  const cut = await read(path);

  expect(whole).toContain('Passage 40.</span>');
  expect(whole).not.toContain('These are the first 40');
  expect(cut).toContain('Passage 300.</span>');
  expect(cut).not.toContain('Passage 301.</span>');
  expect(cut).toContain('These are the first 300 passages.');
});

test('the page of an episode names its people', async () => {
  const [hosted] = await make.episodes(show, 1, () => ({
    slug: 'hosted',
    people: [{ name: 'Ana Vega', role: 'host', url: null }],
  }));

  expect(await read(`/podcasts/${show.id}/episodes/${hosted!.id}`)).toMatch(/Ana Vega.{0,40}Host/s);
});

test('the promos of all shows are listed by show, and one show opens its own', async () => {
  const alone = await make.creator();
  const only = await make.product(alone);
  const own = { headers: { ...headers, cookie: `token=${alone.token}` } };
  for (const path of ['/promotions', '/account/promotions']) {
    const { headers: answer } = await app.request(`${env.urls.appUrl}${path}`, own);
    expect(answer.get('location')).toBe(`/podcasts/${only.id}/promotions`);
  }

  const second = await make.product(alone, { name: 'La otra orilla' });
  const [episode] = await make.episodes(second, 1, () => ({ name: 'Con promo' }));
  const values = {
    episodeId: episode!.id,
    creatorId: episode!.creatorId,
    audioKey: 'a',
    audioBytes: 1,
    durationMs: 4000,
  };
  await runtime.db.insert(promos).values(values);
  const html = await (await app.request(`${env.urls.appUrl}/es/account/promotions`, own)).text();
  expect(html).toMatch(/La otra orilla.*Con promo/s);
  expect(html).toContain(`action="/es/podcasts/${second.id}/promotions"`);
});

test.each(['/account/creator-page', '/en/account/creator-page', '/es/account/creator-page'])(
  '%s opens',
  async (path) => {
    expect(await read(path)).toContain('name="name"');
  },
);

test('without JavaScript, the page of promos says how to upload one', async () => {
  expect(await withoutScript(`/podcasts/${show.id}/episodes/${published!.id}/promo`)).toContain('turn on JavaScript');
});

test('an episode is deleted without typing its name, and the list undoes it', async () => {
  const [mistaken] = await make.episodes(show, 1, () => ({ name: 'Marea baja', slug: 'marea' }));
  const path = `/podcasts/${show.id}/episodes/${mistaken!.id}`;
  expect(await read(path)).not.toContain('name="confirmation"');

  const { status, headers: answer } = await send(path, { intent: 'delete' });
  expect(status).toBe(302);
  const list = await read(answer.get('location')!);
  expect(list).toMatch(/1 episode deleted.*value="undo"/s);
  const [, batchId] = /name="batchId" value="([^"]+)"/.exec(list)!;
  await send(`/podcasts/${show.id}`, { intent: 'undo', batchId: batchId! });
  expect(await read(path)).toContain('Marea baja');
});

test('a failed episode leads to its file, and to the rest of its form', async () => {
  const [failed] = await make.episodes(show, 1, () => ({ status: 'failed', slug: 'roto' }));
  const html = await read(`/podcasts/${show.id}/episodes/${failed!.id}`);

  const edit = `/podcasts/${show.id}/episodes/edit/${failed!.id}`;
  expect(html).toContain(`href="${edit}#fileKey"`);
  expect(html).toContain(`href="${edit}"`);
  expect(await read(edit)).toMatch(/<fieldset[^>]*id="fileKey"/);
});

test('a free show offers no private episodes', async () => {
  const free = await make.product(owner, { name: 'Gratis', priceMinor: null });
  const paid = await make.product(owner, { name: 'De pago', priceMinor: 500 });
  for (const { id } of [free, paid]) await make.episodes({ ...free, id }, 1, () => ({ slug: 'uno' }));

  expect(await read(`/podcasts/${free.id}`)).not.toMatch(
    /value="(?:all-)?private"[^>]*type="submit"|type="submit"[^>]*value="(?:all-)?private"/,
  );
  expect(await read(`/podcasts/${paid.id}`)).toContain('value="all-private"');
});

test('a paid show becomes free by a form, and refunds that have begun can’t be called off', async () => {
  const paid = await make.product(owner, { priceMinor: 500 });
  const term = { startsAt: runtime.now(), endsAt: later(runtime.now(), DAYS(30)), source: 'subscription' as const };
  const { id: userId } = await make.person();
  await runtime.db.insert(grants).values({ userId, productId: paid.id, ...term });
  await runtime.db.insert(subscriptions).values({
    ...{ providerId: 'sub_free', customerId: 'cus', purpose: 'show', userId, creatorId: owner.creatorId },
    ...{ productId: paid.id, status: 'active', priceMinor: 500, currency: 'eur', every: 'month' },
    ...{ startedAt: term.startsAt, periodStart: term.startsAt, periodEnd: term.endsAt, syncedAt: term.startsAt },
  });
  const path = `/edit/podcasts/${paid.id}/free`;

  const first = await read(path);
  expect(first).toContain('Subscribers paid about €5.00 for their current periods.');
  expect(first).not.toContain('value="refund"');
  expect((await send(path, { intent: 'show' })).status).toBe(302);
  const computing = await read(path);
  expect(computing).toContain('Adding up the refunds.');
  expect(computing).not.toContain('value="refund"');
  await runUnused(runtime);
  const choice = await read(path);
  for (const intent of ['at_period_end', 'refund']) expect(choice).toMatch(new RegExp(`<button[^>]*value="${intent}"`));
  expect(choice).toMatch(/<input[^>]*required[^>]*name="isConfirmed"|<input[^>]*name="isConfirmed"[^>]*required/);
  expect((await send(path, { intent: 'at_period_end' })).headers.get('location')).toContain('product_waiting');
  const waiting = await read(path);
  for (const intent of ['keep', 'refund']) expect(waiting).toMatch(new RegExp(`<button[^>]*value="${intent}"`));

  const unconfirmed = await send(path, { intent: 'refund' });
  expect(unconfirmed.status).toBe(400);
  expect(await unconfirmed.text()).toContain('Tick the box to confirm');
  const sent = await send(path, { intent: 'refund', isConfirmed: 'on' });
  expect(sent.headers.get('location')).toContain('product_refunding');
  const html = await read(path);
  expect(html).toContain('Refunding subscribers');
  expect(html).not.toMatch(/<button[^>]*name="intent"/);
  expect(await (await send(path, { intent: 'keep' })).text()).toContain('it can’t stay paid');
});

test('only documents from which people reach the studio may ask for the microphone', async () => {
  const policyOf = async (path: string, sent: Record<string, string> = headers) => {
    const response = await app.request(env.urls.appUrl + path, { headers: sent });
    return /microphone=(\S+),/.exec(response.headers.get('permissions-policy') ?? '')?.[1];
  };

  expect(await policyOf('/login', { host, origin })).toBe('(self)');
  const studio = ['/es/dashboard', `/es/podcasts/${show.id}/audio-insertion/create`, '/podcasts-of-others'];
  expect(await Promise.all(studio.map((path) => policyOf(path)))).toEqual(['(self)', '(self)', '()']);
  const others = ['/', '/es/descubrir', '/privacy-policy', `/embed/p/${show.id}`, '/healthz'];
  expect(await Promise.all(others.map((path) => policyOf(path)))).toEqual(others.map(() => '()'));
});
