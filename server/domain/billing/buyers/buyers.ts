import { and, desc, eq } from 'drizzle-orm';
import { sales } from '~/db/schema/billing';
import type { Page } from '../../../base/paging';
import { earlier } from '../../../base/time';
import { BILLING_LIMITS } from '../../../limits/billing';
import { BUYER_LIMITS } from '../../../limits/buyers';
import { authorize, may } from '../../../policy/authorize';
import type { Ctx } from '../../../runtime/ctx';
import { findCreator } from '../../creators/queries';
import { acceptsBuyers } from '../../plans/features';
import type { KindName } from '../../products/kinds';
import { findProductRecord, type ProductRow } from '../../products/queries';
import type { FindProduct } from '../../products/schema';
import { buyerNotFound } from '../base/errors';
import { type OverdueDates, overdueDates } from '../base/rules';
import type { ExportBuyers, FindBuyer, ListBuyers } from '../base/schema';
import { lookupPausable, type PausableView } from '../subscriptions/pause-subscription';
import { type BuyerView, listBuyerPage, listBuyersAfter, lookupBuyer } from './buyer-list';
import { listMessages, replyAddress, type SentMessage } from './message-buyer';
import { noteAbout } from './note-buyer';
import { hasStopped } from './stop-messages';

type ShowOfBuyers = { id: number; kind: KindName; name: string; isFree: boolean };
/** `canManage`: the user may refund, remove and invite. `acceptsBuyers`: the plan has room for another buyer. */
export type BuyerPage = Page<BuyerView> & { show: ShowOfBuyers; canManage: boolean; acceptsBuyers: boolean };

/** The subscribers or customers of a show, for its team. @throws product.not_found, common.role_not_allowed */
export async function listBuyers(ctx: Ctx, { id, kind, ...filter }: ListBuyers): Promise<BuyerPage> {
  const show = await findReadable(ctx, { id, kind });
  const [list, accepts] = await Promise.all([listBuyerPage(ctx, show, filter), acceptsBuyers(ctx, show.creatorId)]);
  return { ...list, show: toShow(show), canManage: may(ctx, 'product.manageBuyers', show), acceptsBuyers: accepts };
}

/** The next part of an export of all buyers, in the order of their ids. @throws as listBuyers */
export async function exportBuyers(ctx: Ctx, { id, kind, after }: ExportBuyers): Promise<BuyerView[]> {
  const show = await findReadable(ctx, { id, kind });
  return listBuyersAfter(ctx, show, { after, limit: BUYER_LIMITS.exported });
}

/** A payment that can be refunded in part or completely. `leftMinor`: the amount that is not refunded. */
export type PaymentView = Pick<
  typeof sales.$inferSelect,
  | 'id'
  | 'name'
  | 'purpose'
  | 'amountMinor'
  | 'refundedMinor'
  | 'vatMinor'
  | 'commissionMinor'
  | 'currency'
  | 'paidAt'
  | 'every'
> & { leftMinor: number; isDisputed: boolean };
/**
 * `overdue`: what follows a failed renewal; null if none has failed. `pause`: the subscription that the user may pause
 * or resume; null without one. `note`: of the creator's team.
 * `messages`: null for users who can't send any.
 */
export type BuyerDetails = {
  show: ShowOfBuyers;
  buyer: BuyerView;
  payments: PaymentView[];
  overdue: OverdueDates | null;
  canManage: boolean;
  pause: PausableView | null;
  note: string;
  messages: MessagesToBuyer | null;
};
/** `mayWrite`: the person can get messages. `replyTo`: the address to which they answer. */
export type MessagesToBuyer = { mayWrite: boolean; replyTo: string; sent: SentMessage[] };

/** A buyer, with their payments for the show. @throws as listBuyers, buyer.not_found */
export async function findBuyer(ctx: Ctx, { id, kind, userId }: FindBuyer): Promise<BuyerDetails> {
  const show = await findReadable(ctx, { id, kind });
  const { id: productId, creatorId } = show;
  const [buyer, rows, pause, note] = await Promise.all([
    lookupBuyer(ctx, show, userId),
    listPayments(ctx, productId, userId),
    may(ctx, 'product.price', show) ? lookupPausable(ctx, { productId, userId }) : null,
    noteAbout(ctx, { creatorId, userId }),
  ]);
  if (!buyer) throw buyerNotFound();
  return {
    show: toShow(show),
    buyer,
    payments: rows.map(toPayment),
    overdue: overdueOf(ctx, buyer),
    canManage: may(ctx, 'product.manageBuyers', show),
    pause,
    note,
    messages: may(ctx, 'product.manageBuyers', show) ? await messagesTo(ctx, creatorId, buyer) : null,
  };
}

/** The access of an overdue subscription ends with the days of grace. */
const overdueOf = (ctx: Ctx, { state, until }: BuyerView): OverdueDates | null =>
  state === 'past_due' && until ? overdueDates(earlier(until, BILLING_LIMITS.grace), ctx.now()) : null;

async function messagesTo(ctx: Ctx, creatorId: number, { userId, name }: BuyerView): Promise<MessagesToBuyer> {
  const [isStopped, sent, creator] = await Promise.all([
    hasStopped(ctx, { creatorId, userId }),
    listMessages(ctx, { creatorId, userId }),
    findCreator(ctx, creatorId),
  ]);
  return { mayWrite: name !== null && !isStopped, replyTo: await replyAddress(ctx, creator), sent };
}

async function findReadable(ctx: Ctx, { id, kind }: FindProduct): Promise<ProductRow> {
  const { product } = await findProductRecord(ctx, id, kind);
  return authorize(ctx, 'product.readBuyers', product);
}

const toShow = ({ id, kind, name, priceMinor }: ProductRow): ShowOfBuyers => ({
  id,
  kind,
  name,
  isFree: priceMinor === null,
});

const listPayments = ({ db }: Pick<Ctx, 'db'>, productId: number, userId: number) =>
  db
    .select()
    .from(sales)
    .where(and(eq(sales.userId, userId), eq(sales.productId, productId)))
    .orderBy(desc(sales.paidAt), desc(sales.id))
    .limit(BUYER_LIMITS.payments);

function toPayment(row: typeof sales.$inferSelect): PaymentView {
  const { id, name, purpose, amountMinor, refundedMinor, vatMinor, commissionMinor, currency, paidAt } = row;
  const { every, disputedAt } = row;
  const leftMinor = amountMinor - refundedMinor;
  const facts = { id, name, purpose, amountMinor, refundedMinor, vatMinor, commissionMinor, currency, paidAt, every };
  return { ...facts, leftMinor, isDisputed: disputedAt !== null };
}
