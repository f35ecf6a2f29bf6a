import fs from 'node:fs/promises';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { inject } from 'vitest';
import { products } from '~/db/schema/products';
import { cast } from './cast';
import { openShop } from './open-shop';
import { REAL_STRIPE } from './open-test-stripe';
import type { ShopIndex } from './shop-template';
import { ensureShop } from './templates';

export { ADDRESSES, GOOD_CARD, showItem } from './open-shop';

/**
 * The cast with a payment provider (tests/support/open-shop.ts). `buyers` starts from the template with a show, the
 * club, and a buyer of the club in each state (tests/support/shop-template.ts), a month after the cast's time.
 */
export function shop(options: { buyers: true }): ReturnType<typeof shopWithBuyers>;
export function shop(): ReturnType<typeof openedShop>;
export function shop({ buyers = false } = {}) {
  return buyers ? shopWithBuyers() : openedShop();
}

async function openedShop(template = inject('cast')) {
  const stage = await cast({ settings: REAL_STRIPE, template });
  const opened = await openShop(stage);
  atEnd(opened.close);
  return { ...stage, ...opened };
}

async function shopWithBuyers() {
  const template = inject('shop');
  await ensureShop(inject('adminUrl'), { cast: inject('cast'), shop: template });
  const { now, club, buyers }: ShopIndex = JSON.parse(
    await fs.readFile(path.join(template.directory, 'index.json'), 'utf8'),
  );
  const opened = await openedShop(template);
  opened.clock.now = new Date(now);
  const [show] = await opened.runtime.db.select().from(products).where(eq(products.id, club));
  return { ...opened, club: show!, buyers };
}
