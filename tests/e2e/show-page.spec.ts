import { expect, test } from '@playwright/test';
import { collectErrors } from './browser-errors';
import { fillInPayer, hydrated, payByCard, words } from './journey';

const t = words('en');

test('a visitor reads what subscribers get, hears a sample of a locked episode, and never gets its audio', async ({
  page,
  baseURL,
}) => {
  const errors = collectErrors(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/audio/') || request.url().includes('listening.')) asked.push(request.url());
  });
  await page.goto(`http://staging-lucia.${new URL(baseURL!).host}/en/p/noches-de-taller`);
  const offer = page.getByRole('region', { name: t('public:offer.title') });
  await expect(offer.getByRole('listitem')).toHaveText([
    /for subscribers only/,
    /No inserted ads/,
    /podcast app/,
    /supports Lucía Ferrer/,
  ]);
  await offer.getByText(t('public:price.interval.year')).click();
  const yearly = offer.getByRole('link', { name: t('offer:offer.year', { amount: '€40' }), exact: true });
  await expect(yearly).toBeVisible();

  await page.getByRole('button', { name: t('public:promo.listen') }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  await expect(player.getByText(t('offer:promo.name', { name: 'El piano de la 3B' })).first()).toBeVisible();
  const position = player.getByRole('slider', { name: t('player:progress') });
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(1);
  await player.getByRole('button', { name: t('player:pause'), exact: true }).click();
  await page.reload();
  await player.getByRole('button', { name: t('player:play'), exact: true }).click();
  await expect(player.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();

  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((url) => !/\/audio\/\d+\/promo\/[0-9a-f]{16}\.mp3$/.test(url))).toEqual([]);
  expect(errors).toEqual([]);
});

for (const width of [360, 1280])
  test(`the menu of an episode opens below its button at ${width} px`, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`http://staging-lucia.${new URL(baseURL!).host}/en/p/postales-sonoras`);
    await hydrated(page);
    const menu = page.locator('.episodes .more').first();

    await menu.locator('summary').click();

    const panel = menu.locator('.panel');
    await expect(panel).toBeVisible();
    const [button, opened] = [(await menu.locator('summary').boundingBox())!, (await panel.boundingBox())!];
    expect(Math.abs(opened.y - (button.y + button.height))).toBeLessThan(8);
  });

test('the button of a show starts its free trial', async ({ page, baseURL }) => {
  await page.goto(`http://staging-bruno.${new URL(baseURL!).host}/en/p/after-hours`);
  const offer = page.getByRole('region', { name: t('public:offer.title') });
  await expect(offer.getByText(t('offer:offer.after', { price: '$3.00 a month' }))).toBeVisible();

  await offer.getByRole('link', { name: 'Start your 14-day free trial', exact: true }).click();
  await expect(page.locator('.bill-today')).toContainText('0.00');
  await hydrated(page);
  await fillInPayer(page);
  await page.getByRole('button', { name: t('buying:pay.submitTrial') }).click();
  await payByCard(page);

  await expect(page.getByRole('button', { name: /Railings at two|The last tram/ }).first()).toBeVisible();
});
