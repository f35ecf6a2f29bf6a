import { expect, test } from '@playwright/test';
import { words } from './journey';

test.use({ javaScriptEnabled: false });

// on the build: a package that the bundle loads in another way would leave the site without texts
test('a visitor finds a post by its words, reads it, and reads it in the other language', async ({ page }) => {
  const [en, es] = [words('en'), words('es')];
  await page.goto('/');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: en('common:footer.blog') })
    .click();
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(6);

  await page.getByRole('searchbox').fill('double entry');
  await page.getByRole('searchbox').press('Enter');
  await page.getByRole('link', { name: 'How the ledger guards your money' }).first().click();

  await expect(page.getByRole('heading', { level: 1, name: 'How the ledger guards your money' })).toBeVisible();
  await page.getByRole('button', { name: 'Español' }).click();
  await expect(page).toHaveURL(/\/es\/blog\//);
  await expect(page.getByRole('link', { name: es('common:footer.blog') }).first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('How the ledger guards your money');
});
