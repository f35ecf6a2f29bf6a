import { expect, test } from 'vitest';
import { plansView } from '~/app/features/site/marketing/pricing-data.server';
import type { Door } from '~/app/lib/doors.server';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { PLANS, PLANS_FOR_SALE, type Plan } from '~/server/limits/plans';
import { OWN_CONTENT, openContent } from '~/server/runtime/content-folders';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env } = await cast({ empty: true });
const app = pagesApp(runtime, env.urls);
const APP = env.urls.appUrl;

async function read(path: string) {
  const response = await app.request(APP + path, { headers: { 'accept-language': 'en' } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
/** The text of a page, without its markup and the data for the browser. */
const textOf = (html: string) =>
  (/<main[^>]*>(.*?)<\/main>/s.exec(html)?.[1] ?? '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
const jsonOf = (html: string) =>
  JSON.parse(/<script[^>]*type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)![1]!);
const fieldValue = (html: string, name: string) =>
  new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html)?.[0].match(/ value="([^"]*)"/)?.[1];

test('the prices of the page and of its description are those of the file of plans', async () => {
  const { status, text, headers } = await read('/en/pricing');
  const graph = jsonOf(text)['@graph'];
  const [software, questions] = ['SoftwareApplication', 'FAQPage'].map((type) =>
    graph.find((node: Record<string, unknown>) => node['@type'] === type),
  );

  expect(status).toBe(200);
  expect(headers.get('x-cache-tags')).toBe('pricing content');
  const priced = PLANS_FOR_SALE.map((code) => PLANS[code]).filter(({ priceMinor }) => priceMinor !== null);
  expect(
    software.offers.map(({ name, price, priceCurrency }: Record<string, string>) => [name, price, priceCurrency]),
  ).toEqual(
    priced.flatMap(({ name, priceMinor }) =>
      ['EUR', 'USD'].map((currency) => [name, (priceMinor! / 100).toFixed(2), currency]),
    ),
  );
  for (const { name } of questions.mainEntity) expect(text).toContain(name.replaceAll("'", '&#x27;'));
  expect(textOf(text)).toContain('€9.00 a month');
});

test('each card lists its column of the table, and leads to an account', async () => {
  const { text } = await read('/es/precios');
  const cards = text.match(/<ul class="plan-cards">.*?<\/ul>/s)?.[0] ?? '';

  expect(textOf(`<main>${cards}</main>`)).toContain('9,00 € al mes');
  for (const code of PLANS_FOR_SALE) expect(cards).toContain(PLANS[code].name);
  expect(cards.match(/<details/g)).toHaveLength(PLANS_FOR_SALE.length);
  expect(cards.match(/3 % \+ 0,30/g)).toHaveLength(4);
  expect(cards).toContain('href="/es/register?next=');
  expect(cards).toContain('href="/es/contact"');
});

test('the example of a sale has the parts that the ledger enters', async () => {
  const { text } = await read('/en/pricing');

  // 5.00 on Basic, from a listener in Spain
  for (const amount of ['€3.68', '€0.45', '€0.87', '3% + €0.30']) expect(textOf(text)).toContain(amount);
});

test('without payments, the page offers nothing for money and says so', async () => {
  const closed = pagesApp({ ...runtime, settings: { ...runtime.settings, takesPayments: false } }, env.urls);
  const text = await (await closed.request(`${APP}/en/pricing`)).text();

  const { offers } = jsonOf(text)['@graph'].find(
    (node: { '@type': string }) => node['@type'] === 'SoftwareApplication',
  );
  expect(offers.map(({ price }: { price: string }) => Number(price))).toEqual([0, 0]);
  expect(textOf(text)).toContain('doesn’t take payments yet');
  expect(textOf(text)).not.toContain('€3.68');
});

test('a question about prices that is also on the page of questions has the same answer', async () => {
  const content = openContent({ folders: [OWN_CONTENT], log: runtime.log });
  const own = pagesApp({ ...runtime, content }, env.urls);
  const questionsOf = async (path: string) => {
    const text = await (await own.request(APP + path)).text();
    const graph = [jsonOf(text)].flatMap((node) => node['@graph'] ?? node).find((node) => node['@type'] === 'FAQPage');
    const answers = graph.mainEntity.map(
      (each: { name: string; acceptedAnswer: { text: string } }): [string, string] => [
        each.name,
        each.acceptedAnswer.text,
      ],
    );
    const shown = [...text.matchAll(/<summary>([^<]*\?)</g)].map(([, question]) => question);
    return { answers: new Map<string, string>(answers), shown };
  };
  const [prices, faq] = [await questionsOf('/en/pricing'), await questionsOf('/en/faq')];
  const both = [...prices.answers.keys()].filter((question) => faq.answers.has(question));

  expect(both.toSorted()).toEqual([
    'Can I run Altavoz myself?',
    'How do I leave?',
    'When do I get my money?',
    'Who takes care of VAT?',
  ]);
  for (const question of both) expect(prices.answers.get(question)).toBe(faq.answers.get(question));
  for (const { shown } of [prices, faq]) expect(new Set(shown).size).toBe(shown.length);
});

test('without payments, the calculator says so', async () => {
  const closed = pagesApp({ ...runtime, settings: { ...runtime.settings, takesPayments: false } }, env.urls);

  expect(textOf(await (await closed.request(`${APP}/en/calculator`)).text())).toContain('doesn’t take payments yet');
  expect(textOf((await read('/en/calculator')).text)).not.toContain('doesn’t take payments yet');
});

test('the calculator says which VAT its figures contain, or why they contain none', async () => {
  const operator = { ...runtime.settings.operator, vatNumber: null };
  const small = pagesApp({ ...runtime, settings: { ...runtime.settings, operator } }, env.urls);

  expect(textOf((await read('/en/calculator?country=FR')).text)).toContain('include VAT of 20% (France)');
  expect(textOf((await read('/es/calculadora?country=ES')).text)).toMatch(/incluyen un 21\s%\s+de IVA \(España\)/);
  expect(textOf((await read('/en/calculator?country=other')).text)).toContain('outside the European Union. For');
  expect(textOf(await (await small.request(`${APP}/en/calculator`)).text())).toContain('has no VAT number');
});

test('an operator that charges its own VAT everywhere says so to listeners of every country, its own included', async () => {
  const operator = { ...runtime.settings.operator, vatAtHome: [{ from: new Date(0), until: null }] };
  const small = pagesApp({ ...runtime, settings: { ...runtime.settings, operator } }, env.urls);
  for (const country of ['ES', 'FR']) {
    const text = textOf(await (await small.request(`${APP}/en/calculator?country=${country}`)).text());
    expect(text).toContain('include VAT of 21%: listeners in the whole European Union pay the rate of Spain');
  }
});

test.each([
  ['/es/calculadora?subscribers=1.000&price=4,99+%E2%82%AC', { subscribers: '1000', price: '4,99' }],
  ['/en/calculator?subscribers=1,000&price=%E2%82%AC4.99', { subscribers: '1000', price: '4.99' }],
  ['/en/calculator?subscribers=1+000&every=year&price=1.234,50', { subscribers: '1000', price: '1234.50' }],
])('%s is read as people in its language type it', async (path, expected) => {
  const { status, text } = await read(path);

  expect(status).toBe(200);
  for (const [name, value] of Object.entries(expected)) expect(fieldValue(text, name)).toBe(value);
});

test('a number that means something else in the language is corrected by the person, who sees what they typed', async () => {
  const { status, text } = await read('/es/calculadora?subscribers=1,500&price=1,234');

  expect(status).toBe(400);
  expect([fieldValue(text, 'subscribers'), fieldValue(text, 'price')]).toEqual(['1,500', '1,234']);
});

test('an operator without a VAT number promises nothing about VAT', async () => {
  const operator = { ...runtime.settings.operator, vatNumber: null };
  const small = pagesApp({ ...runtime, settings: { ...runtime.settings, operator } }, env.urls);
  const text = textOf(await (await small.request(`${APP}/en/pricing`)).text());

  // 5.00 without VAT
  expect(text).toContain('€4.55');
  expect(text).not.toMatch(/which we declare|VAT depends|takes care of VAT/);
});

const door = (transcribes: boolean) =>
  ({ context: { language: DEFAULT_LANGUAGE, locale: 'en-GB', settings: { transcribes } } }) as unknown as Door;
const plan = (change: Partial<Plan>): Plan => ({ ...PLANS.PRO, ...change });

test.each<[string, Plan[], boolean, unknown]>([
  [
    'one free plan without a fee',
    [plan({ priceMinor: 0, commission: { basisPoints: 0, fixedMinor: 0 } })],
    true,
    {
      prices: ['€0'],
      fee: ['No fee'],
      transcribes: true,
    },
  ],
  [
    'other prices, without an engine that transcribes',
    [PLANS.FREE, plan({ priceMinor: 12_34 })],
    false,
    {
      prices: ['€0', '€12.34'],
      fee: ['10% + €0.30', '3% + €0.30'],
      transcribes: false,
    },
  ],
])('an installation with %s', (_, plans, transcribes, expected) => {
  const view = plansView(door(transcribes), plans);

  expect({
    prices: view.plans.map(({ price }) => price),
    fee: view.rows[0]!.values,
    transcribes: view.limits.some(({ label }) => label.startsWith('Transcription')),
  }).toEqual(expected);
});

test('the calculator shows an example, and its address has the figures', async () => {
  const { status, text } = await read('/en/calculator');
  const shared = await read('/es/calculadora?subscribers=250&price=4,99&plan=PRO&donations=0&sales=0&country=ES');

  expect([status, shared.status]).toEqual([200, 200]);
  expect(textOf(text)).toContain('You keep');
  expect(fieldValue(shared.text, 'subscribers')).toBe('250');
  expect(fieldValue(shared.text, 'price')).toBe('4,99');
  expect(fieldValue(text, 'price')).toBe('5.00');
  expect(fieldValue((await read('/es/calculadora')).text, 'price')).toBe('5,00');
  // 250 × (4.99 − 0.87 VAT − 0.45 commission) − 19.00
  expect(textOf(shared.text)).toContain('898,50 € al mes');
  expect(shared.text).toContain('/es/calculadora?plan=PRO&amp;every=month&amp;subscribers=250&amp;price=4.99');
  expect(shared.text).toContain('<form method="get"');
});

const LONG = '9'.repeat(10_000);
/** The names of tests don't have the long value. */
const queryOf = (text: string) => text.replace('{long}', LONG);
test.each([
  ['price=-1', 'price', 'Enter an amount such as 4.99.'],
  ['price=NaN', 'price', 'Enter an amount such as 4.99.'],
  ['price=', 'price', 'Enter an amount such as 4.99.'],
  ['price={long}', 'price', 'Enter an amount such as 4.99.'],
  ['price=0.99', 'price', 'Enter an amount from €1.00 to €500.00.'],
  ['price=9.99&every=year', 'price', 'Enter an amount from €10.00 to €5,000.00.'],
  ['price=500.01&currency=usd', 'price', 'Enter an amount from $1.00 to $500.00.'],
  ['subscribers=-5', 'subscribers', 'Enter a whole number, such as 250.'],
  ['subscribers=1e309', 'subscribers', 'Enter a whole number, such as 250.'],
  ['subscribers=1.5', 'subscribers', 'Enter a whole number, such as 250.'],
  ['subscribers=0x10', 'subscribers', 'Enter a whole number, such as 250.'],
  ['donations={long}', 'donations', 'Enter a whole number, such as 250.'],
  ['sales=100001', 'sales', 'Enter at most 100,000.'],
  ['plan=ULTRA', null, 'This value is not valid.'],
  ['plan=__proto__', null, 'This value is not valid.'],
  ['country=%3Cscript%3E', null, 'This value is not valid.'],
  ['every=week', null, 'This value is not valid.'],
  ['currency=', null, 'This value is not valid.'],
])('%s is an error beside its field, and the other figures stay', async (query, field, message) => {
  const { status, text, headers } = await read(`/en/calculator?salePrice=17.50&${queryOf(query)}`);

  expect([status, headers.get('cache-control')]).toEqual([400, 'no-store']);
  expect(textOf(text)).toContain(message);
  expect(fieldValue(text, 'salePrice')).toBe('17.50');
  expect(text).not.toContain('<script>');
  expect(text.length).toBeLessThan(200_000);
  if (field) expect(text).toMatch(new RegExp(`<input[^>]*name="${field}"[^>]*aria-invalid="true"`));
});

test.each([
  ['subscribers[]=5', 200],
  ['subscribers=abc&subscribers=5', 200],
  ['subscribers=5&subscribers=abc', 400],
  ['utm_source=x&unknown=%00', 200],
  ['subscribers=&donations=&sales=', 200],
  ['price=4%2C99', 200],
  ['subscribers=%00', 400],
  ['subscribers=100000&price=500&donations=100000&donation=500&sales=100000&salePrice=1000', 200],
])('%s is answered with %i', async (query, status) => {
  expect((await read(`/en/calculator?${query}`)).status).toBe(status);
});
