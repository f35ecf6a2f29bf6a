import { expect, test } from '@playwright/test';
import { hydrated, logIn, words } from './journey';

const t = words('en');

test('the player keeps playing across pages, and the keyboard controls it', async ({ page, baseURL }) => {
  const root = new URL(baseURL!).host;
  await page.goto(`http://staging-ada.${root}/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const position = player.getByRole('slider', { name: t('player:progress') });
  const seconds = async () => Number(await position.inputValue());
  await expect(player.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();
  await expect(player.getByText('For a satellite').first()).toBeVisible();
  await expect.poll(seconds).toBeGreaterThan(1);

  await page.getByRole('link', { name: 'For a lighthouse' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'For a lighthouse' })).toBeVisible();
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before);

  await page.locator('body').press('ArrowRight');
  await expect.poll(seconds).toBeGreaterThan(before + 5);
  await page.locator('body').press('Space');
  await expect(player.getByRole('button', { name: t('player:play'), exact: true })).toBeVisible();
  await player.getByRole('button', { name: t('player:play'), exact: true }).press('ArrowDown');
  await expect(player.getByRole('slider', { name: t('player:volume') })).toHaveValue('9');

  await player.getByRole('button', { name: t('player:next') }).click();
  await expect(player.getByText('For a lighthouse').first()).toBeVisible();
  await player.getByRole('button', { name: t('player:close') }).click();
  await expect(player).toBeHidden();
});

test('the buttons jump by 15 and 30 seconds, and the speed is chosen from a menu', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
  await expect(player.locator('.player-times')).toHaveText(/^0:0\d \/ −0:5\d$/);

  await player.getByRole('button', { name: t('player:forward', { seconds: '30' }) }).click();
  await expect.poll(seconds).toBeGreaterThanOrEqual(30);
  await player.getByRole('button', { name: t('player:back', { seconds: '15' }) }).click();
  await expect.poll(seconds).toBeLessThan(25);
  await player.getByRole('button', { name: `${t('player:speed')}: 1×` }).click();
  await player.getByRole('button', { name: '1.5×', exact: true }).click();

  await expect(player.getByRole('button', { name: `${t('player:speed')}: 1.5×` })).toBeVisible();
  await expect(player.getByRole('button', { name: '1.5×', exact: true })).toBeHidden();
});

for (const allowed of [true, false]) {
  const result = allowed ? 'goes on' : 'waits at its position, if the browser forbids autoplay,';
  test(`the player ${result} when a listener opens a show from the home page`, { tag: allowed ? [] : '@deep' }, async ({
    page,
    baseURL,
  }) => {
    if (!allowed) {
      await page.addInitScript(() => {
        const play = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
          const isCreator = location.host.startsWith('staging-');
          return isCreator ? Promise.reject(new DOMException('no click', 'NotAllowedError')) : play.call(this);
        };
      });
    }
    await page.goto(`${baseURL}/`);
    await hydrated(page);
    const player = page.getByRole('region', { name: t('player:player') });
    const seconds = async () => Number(await player.getByRole('slider', { name: t('player:progress') }).inputValue());
    await page.locator('.sample .play').click();
    await expect.poll(seconds).toBeGreaterThan(2);
    const name = (await player.locator('.player-title').textContent()) ?? '';
    const before = await seconds();

    await page.locator('.sample a').first().click();

    await expect(page).toHaveURL(/staging-\w+\.altavoz\.localhost:\d+\/p\/[\w-]+$/);
    await expect(player.getByText(name).first()).toBeVisible();
    await expect.poll(seconds).toBeGreaterThanOrEqual(before);
    const label = t(allowed ? 'player:pause' : 'player:play');
    await expect(player.getByRole('button', { name: label, exact: true })).toBeVisible();
    if (allowed) await expect.poll(seconds).toBeGreaterThan(before);
  });
}

test('after a reload the player is paused at the same position', { tag: '@deep' }, async ({ page, baseURL }) => {
  const root = new URL(baseURL!).host;
  await page.goto(`http://staging-lucia.${root}/p/postales-sonoras`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'Playa de invierno' }) }).click();
  const player = page.getByRole('region', { name: t('player:player') });
  const position = player.getByRole('slider', { name: t('player:progress') });
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(2);

  await page.reload();

  await expect(player.getByText('Playa de invierno').first()).toBeVisible();
  await expect(player.getByRole('button', { name: t('player:play'), exact: true })).toBeVisible();
});

test('the pop-up jumps by chapters and transcript, and its queue plays first and survives a reload', {
  tag: '@deep',
}, async ({ page, baseURL }) => {
  const p = (key: string, values = {}) => t(`player-popup:${key}`, values);
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  const bar = page.getByRole('region', { name: t('player:player') });
  await expect(bar.getByRole('button', { name: t('player:pause'), exact: true })).toBeVisible();
  await bar.getByRole('button', { name: t('player:expand') }).click();
  const popup = page.getByRole('dialog');
  const seconds = async () => Number(await popup.getByRole('slider', { name: t('player:progress') }).inputValue());

  const part = (name: string) => popup.getByRole('tabpanel', { name: p(name) });
  const chapter = part('chapters').getByRole('button', { name: /Overhead/ });
  await chapter.click();
  await expect.poll(seconds).toBeGreaterThanOrEqual(20);
  await expect(chapter).toHaveAttribute('aria-current', 'true');
  await popup.getByRole('tab', { name: p('transcript') }).click();
  const cues = part('transcript').getByRole('button');
  await expect(cues.nth(1)).toHaveAttribute('aria-current', 'true');
  await part('transcript').getByRole('searchbox').fill('MÉLODY');
  await expect(part('transcript').getByRole('status')).toHaveText(t('listening:find.of', { index: '1', count: '1' }));
  await part('transcript').getByRole('searchbox').fill('');
  await cues.first().click();
  await expect.poll(seconds).toBeLessThan(10);
  await expect(popup.locator('.popup-waveform path').first()).toHaveAttribute('d', /M0\.1/);
  await popup.getByRole('slider', { name: t('player:speed') }).fill('2.5');
  await expect(popup.getByText('2.5×')).toBeVisible();
  await popup.getByLabel(p('sleep')).selectOption({ label: p('sleep.episode') });

  const queueTab = popup.getByRole('tab', { name: p('queue') });
  await queueTab.click();
  const queue = part('queue');
  await queue
    .getByRole('button', { name: new RegExp(`^${t('player:queue.add')}`) })
    .first()
    .click();
  const title = await queue.locator('.popup-queue').first().locator('bdi').first().textContent();
  await popup.getByRole('button', { name: t('player:collapse') }).click();
  await page.reload();
  await bar.getByRole('button', { name: t('player:expand') }).click();
  await queueTab.click();
  await expect(queue.getByRole('button', { name: p('queue.play', { name: title! }), exact: true })).toBeVisible();
  await popup.getByRole('button', { name: t('player:next') }).click();

  await expect(popup.getByRole('heading', { level: 2, name: title! })).toBeVisible();
  await expect(queue.getByText(p('queue.empty'))).toBeVisible();
});

test('a page puts episodes into the queue by keyboard before anything plays', { tag: '@deep' }, async ({
  page,
  baseURL,
}) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  const named = (text: string, name: string) => ({ name: new RegExp(`^${t(text)} ?: ${name}$`) });
  const menu = (name: string) => row(name).locator('summary');
  async function press(name: string, text: string) {
    const button = row(name).getByRole('button', named(`player:${text}`, name));
    // in an open menu, the button may still be loading
    const isOpen = await row(name)
      .locator('details')
      .evaluate((details: HTMLDetailsElement) => details.open);
    if (!isOpen) await menu(name).press('Enter');
    await button.press('Enter');
  }

  await press('For a lighthouse', 'queue.add');
  await expect(row('For a lighthouse').getByText(t('player:queue.queued'))).toBeVisible();
  await press('For a satellite', 'queue.next');
  await press('For a lighthouse', 'queue.queued');
  await press('For a lighthouse', 'queue.add');
  // the queue is stored once it is shown
  await expect(row('For a lighthouse').getByText(t('player:queue.queued'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row('For a lighthouse').getByText(t('player:queue.queued'))).toBeHidden();
  await expect(menu('For a lighthouse')).toBeFocused();
  await page.reload();
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();
  await page.getByRole('button', { name: t('player:expand') }).click();

  const popup = page.getByRole('dialog');
  await popup.getByRole('tab', { name: t('player-popup:queue') }).click();
  const queued = popup.locator('.popup-queue').first().locator('.queue-name > bdi');
  await expect(queued).toHaveText(['For a satellite', 'For a lighthouse']);
});

test('a listener with an account continues on another device, and only one tab plays', { tag: '@deep' }, async ({
  browser,
  baseURL,
}) => {
  const devices = await Promise.all([1, 2].map(() => browser.newContext()));
  const show = `http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`;
  // heard to its end, so it begins anew; the others continue, and 30 seconds later they end
  const name = t('player:playEpisode', { name: 'For a satellite' });
  const opened = await Promise.all(
    devices.map(async (device) => {
      const page = await device.newPage();
      await logIn(page, 'tom@altavoz.example');
      await page.goto(show);
      await hydrated(page);
      return page;
    }),
  );
  const [phone, laptop] = opened as [(typeof opened)[0], (typeof opened)[0]];
  const positionOn = (page: typeof phone) => page.getByRole('slider', { name: t('player:progress') });
  const pauseOn = (page: typeof phone) => page.getByRole('button', { name: t('player:pause'), exact: true });
  await phone.getByRole('button', { name }).click();
  await expect(pauseOn(phone)).toBeVisible();
  await phone.getByRole('button', { name: t('player:forward', { seconds: '30' }) }).click();
  await expect.poll(async () => Number(await positionOn(phone).inputValue())).toBeGreaterThan(30);
  const saved = phone.waitForResponse((response) => response.url().includes('listening.savePosition'));
  await pauseOn(phone).click();
  expect((await saved).status()).toBe(200);

  await laptop.getByRole('button', { name }).click();
  await expect.poll(async () => Number(await positionOn(laptop).inputValue())).toBeGreaterThan(29);
  const other = await devices[1]!.newPage();
  await other.goto(show);
  await hydrated(other);
  await other.getByRole('button', { name: t('player:playEpisode', { name: 'For a lighthouse' }) }).click();

  await expect(pauseOn(other)).toBeVisible();
  await expect(laptop.getByRole('button', { name: t('player:play'), exact: true })).toBeVisible();
  for (const device of devices) await device.close();
});

test('a screen reader finds every control of the bar by its name', { tag: '@deep' }, async ({ page, baseURL }) => {
  await page.goto(`http://staging-ada.${new URL(baseURL!).host}/en/p/lullabies`);
  await hydrated(page);
  await page.getByRole('button', { name: t('player:playEpisode', { name: 'For a satellite' }) }).click();

  const bar = page.getByRole('region', { name: t('player:player') });

  await expect(bar).toMatchAriaSnapshot(`
    - region "Player":
      - slider "Position in the episode"
      - button "Expand the player"
      - link "For a satellite"
      - text: by
      - link
      - button "Previous episode"
      - button "Back 15 seconds"
      - button "Pause"
      - button "Forward 30 seconds"
      - button "Next episode"
      - 'button "Speed: 1×"'
      - slider "Volume"
      - button "Close the player"
  `);
  await expect(page.getByRole('status').filter({ hasText: 'Playing: For a satellite' })).toBeAttached();
});
