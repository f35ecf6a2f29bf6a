import { randomBytes, randomUUID } from 'node:crypto';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { sales } from '~/db/schema/billing';
import { feedLinks } from '~/db/schema/feeds';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; owner: { creatorId: number }; paid: { id: number } };

/** The rows of the authorization matrix about subscribers and customers. */
export async function buyerRows({ runtime, owner, paid }: Stage) {
  const show = { id: paid.id, kind: 'podcast' };
  const { userId } = await newBuyer();
  const saleId = await newSale({ runtime, owner, paid }, userId);
  async function newBuyer() {
    const account = { name: 'Buyer', currency: 'eur', termsAcceptedAt: runtime.now() } as const;
    const email = `buyer${Math.random()}@mail.example`;
    const [user] = await runtime.db
      .insert(users)
      .values({ ...account, email })
      .returning();
    const grant = { userId: user!.id, productId: paid.id, source: 'purchase', startsAt: runtime.now() } as const;
    await runtime.db.insert(grants).values(grant);
    return { ...show, userId: user!.id };
  }
  async function newFeed() {
    const buyer = await newBuyer();
    const link = { userId: buyer.userId, productId: paid.id, app: 'creator', sealedToken: 'sealed' };
    await runtime.db.insert(feedLinks).values({ ...link, tokenHash: randomBytes(32) });
    return buyer;
  }
  return {
    'buyers.list': [['ownMoney', () => show]],
    'buyers.export': [['ownMoney', () => show]],
    'buyers.revenue': [['ownMoney', () => show]],
    'buyers.note': [['ownMoney', () => ({ ...show, userId, note: 'Met at the fair' })]],
    // buyers get emails only from a creator whose own address is verified
    'buyers.message': [
      ['ownerAlone', () => ({ ...show, userId, key: randomUUID(), subject: 'Hello', text: 'Thank you' })],
    ],
    'buyers.sender': [['everyone', () => ({ token: 'unknown' })]],
    'buyers.stopMessages': [['everyone', () => ({ token: 'unknown' })]],
    'buyers.stopped': [['users']],
    'buyers.allowMessages': [['users', () => ({ creatorId: owner.creatorId })]],
    'buyers.get': [['ownMoney', () => ({ ...show, userId })]],
    // the amount is too high, because the payment provider knows no such payment
    'buyers.refund': [['refusedOwner', () => ({ ...show, saleId, amount: '99', refundedMinor: 0 })]],
    'buyers.remove': [['ownerAlone', newBuyer]],
    'buyers.invite': [['ownerAlone', () => ({ ...show, email: `guest${Math.random()}@mail.example` })]],
    'buyers.inviteBatch': [['ownerAlone', () => ({ ...show, subscribers: [{ email: 'many@mail.example' }] })]],
    'buyers.removeBatch': [['ownerAlone', () => ({ ...show, subscribers: [{ email: 'many@mail.example' }] })]],
    'buyers.feed': [['ownMoney', newFeed]],
    'buyers.createFeed': [['ownerAlone', newBuyer]],
    'buyers.replaceFeed': [['ownerAlone', newFeed]],
    'buyers.revokeFeed': [['ownerAlone', newFeed]],
  } satisfies Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;
}

async function newSale({ runtime: { db, now }, owner, paid }: Stage, userId: number): Promise<number> {
  const commission = {
    commissionBasisPoints: 300,
    commissionFixedMinor: 30,
    commissionMinor: 45,
    plan: 'PRO',
  } as const;
  const address = { street: null, postalCode: null, city: null, country: null, taxNumber: null };
  const receipt = { legalEntity: 'Test', receiptNumber: 1, buyer: { ...address, name: 'Buyer' }, seller: 'Test' };
  const item = { userId, productId: paid.id, creatorId: owner.creatorId, purpose: 'show', name: 'Show' } as const;
  const paid5 = { paymentId: 'pi_matrix', amountMinor: 500, currency: 'eur', paidAt: now() } as const;
  const [row] = await db
    .insert(sales)
    .values({ ...item, ...paid5, ...commission, ...receipt })
    .returning({ id: sales.id });
  return row!.id;
}
