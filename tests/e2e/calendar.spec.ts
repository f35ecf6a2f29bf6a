import { expect, test } from '@playwright/test';
import { hydrated, logIn, words } from './journey';

const t = words('en');

test('a scheduled episode is dragged to another day at its time, comes back if that fails, and the move is undone', async ({
  page,
}) => {
  await logIn(page, 'lucia@altavoz.example');
  await page.goto('/en/calendar');
  const scheduled = page.locator('main table a[data-status=scheduled]');
  // its day is in the next month at the end of a month
  const next = page.getByRole('link', { name: t('team:calendar.next'), exact: true });
  if ((await scheduled.count()) === 0) await next.click();
  await expect(scheduled).toHaveCount(1);
  await hydrated(page);
  const cell = page.locator('main table td:not([data-outside])');
  const days = await cell.evaluateAll((cells) =>
    cells.map((td) => td.querySelector('[data-status=scheduled]') !== null),
  );
  const from = days.indexOf(true);
  const to = from + 1 < days.length ? from + 1 : from - 1;
  const entryOn = (index: number) => cell.nth(index).locator('a[data-status=scheduled]');
  const time = (await scheduled.locator('time').textContent())!;
  const path = await scheduled.getAttribute('href');

  /** One move at a time: while one is being saved, nothing can be dragged. */
  async function drag(index: number) {
    await expect(scheduled).toHaveAttribute('data-movable', 'true');
    await scheduled.dragTo(cell.nth(index));
  }

  // the server refuses a time in the past
  await page.route('**/trpc/episodes.release*', (route) =>
    route.continue({
      postData: route
        .request()
        .postData()!
        .replace(/"20\d\d-/, '"2020-'),
    }),
  );
  await drag(to);
  await expect(page.getByRole('alert').getByText(t('errors:episode.publish_time_in_past'))).toBeVisible();
  await expect(entryOn(from)).toBeVisible();
  await page.unroute('**/trpc/episodes.release*');

  await drag(to);
  const undo = page.getByRole('status').getByRole('button', { name: t('studio:undo'), exact: true });
  await expect(undo).toBeVisible();
  await page.reload();
  await expect(entryOn(to)).toHaveAttribute('href', path!);
  await expect(entryOn(to).locator('time')).toHaveText(time);

  await hydrated(page);
  await drag(from);
  await undo.click();
  await expect(entryOn(to)).toBeVisible();
  await expect(undo).toBeHidden();
  await drag(from);
  await expect(undo).toBeVisible();
  await page.reload();
  await expect(entryOn(from)).toBeVisible();
});
