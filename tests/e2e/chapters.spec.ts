import { expect, test } from '@playwright/test';
import { at, logIn, words } from './journey';

const t = words('es');

test('las marcas de la forma de onda mueven los capítulos con el ratón y con el teclado, y las filas las siguen', async ({
  page,
}) => {
  await logIn(page, 'lucia@altavoz.example');
  const address = at('es', '/podcasts/1/episodes/2/chapters');
  const mark = page.getByRole('slider', { name: 'Subida a la Graça' });
  const time = page.getByLabel(t('episode:chapters.time'), { exact: true }).nth(1);
  // a job may still be measuring the file
  await expect(async () => {
    await page.goto(address);
    await expect(mark).toBeVisible({ timeout: 2000 });
  }).toPass();
  await time.fill('0:01');
  await mark.press('ArrowRight');
  await mark.press('Shift+ArrowRight');
  await expect(time).toHaveValue('0:02.1');
  await expect(mark).toHaveAttribute('aria-valuetext', '0:02.1');

  const seconds = Number(await mark.getAttribute('aria-valuemax'));
  const wave = (await page.getByRole('slider', { name: t('studio:sound.position') }).boundingBox())!;
  const grip = (await mark.boundingBox())!;
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(wave.x + wave.width / 2, grip.y + 4, { steps: 4 });
  await page.mouse.up();
  await expect(mark).toBeFocused();
  const middle = Number(await mark.getAttribute('aria-valuenow'));
  expect(Math.abs(middle - seconds / 2)).toBeLessThan(0.2);
  await expect(time).toHaveValue((await mark.getAttribute('aria-valuetext'))!);

  // the row is still what counts
  await time.fill('0:04');
  await expect(mark).toHaveAttribute('aria-valuetext', '0:04');
  await mark.press('ArrowLeft');
  await page.getByRole('button', { name: t('episode:chapters.save'), exact: true }).click();
  await expect(page.getByText(t('studio:done.chapters_saved')).first()).toBeVisible();
  await page.goto(address);
  await expect(time).toHaveValue('0:03');
  await expect(mark).toHaveAttribute('aria-valuetext', '0:03');
});
