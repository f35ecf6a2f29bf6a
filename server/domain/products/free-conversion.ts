import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import type { TxCtx } from '../../ctx';
import { markCreatorChanged } from '../creators/versions';
import type { ProductRow } from './queries';
import { FREE_PRICES } from './rules';
import { markProductChanged } from './versions';

/** The states of a paid product that becomes free (access/free-conversion.ts). Its row is locked (lockProduct). */
export const waitForLastSubscription = (tx: TxCtx, product: ProductRow): Promise<void> =>
  write(tx, product, { freeConversion: 'at_period_end', freeConversionAt: tx.now() });

export const keepPaid = (tx: TxCtx, product: ProductRow): Promise<void> => write(tx, product, NOT_WAITING);

export const makeFree = (tx: TxCtx, product: ProductRow): Promise<void> =>
  write(tx, product, { ...FREE_PRICES, ...NOT_WAITING });

const NOT_WAITING = { freeConversion: null, freeConversionAt: null } as const;

async function write(tx: TxCtx, { id, creatorId }: ProductRow, change: Partial<ProductRow>): Promise<void> {
  const set = { ...change, updatedAt: tx.now() };
  await tx.db.update(products).set(set).where(eq(products.id, id));
  await markProductChanged(tx, id);
  await markCreatorChanged(tx, creatorId);
}
