import { eq } from 'drizzle-orm';
import { products } from '~/db/schema/products';
import { AppError } from '../../base/errors';
import { countsForBalance, hasPlace, type PlaceFacts } from '../../policy/visibility';
import type { TxCtx } from '../../runtime/ctx';
import { requirePublishing } from '../creators/suspend-publishing';
import { requireRoomForEpisodes } from '../plans/quotas';
import { productTakenDown } from '../products/errors';
import { episodeTakenDown, privateNeeded, publicExceedsPrivate } from './errors';
import { countPublished, type EpisodeRow } from './queries';
import { isBalanced } from './rules';

/** How an episode's places change: `from` is null for a new episode, `to` is null for a deleted one. */
export type PlaceChange = { from: PlaceFacts | null; to: PlaceFacts | null };

/**
 * Checks a set of changes to the episodes of one product, after they were written and in their transaction: published,
 * unpublished, deleted, restored, or of another type. The set counts as a whole; the order of its parts does not
 * matter. Public episodes may exceed the private ones only where they already did and the changes don't add to it, for
 * example after a price was set. Changes at once wait for each other, so that two don't use the same free place.
 * @throws episode.public_exceeds_private, episode.private_needed, episode.max_free_reached, creator.publishing_stopped,
 * product.taken_down, episode.taken_down
 */
export async function assertChangesAllowed(
  tx: TxCtx,
  productId: number,
  changes: readonly PlaceChange[],
): Promise<void> {
  await checkBalance(tx, productId, { changes, areWritten: true });
}

/** Checks before the change, for one episode that would be published. @throws as assertChangesAllowed */
export async function assertPublishable(
  tx: TxCtx,
  { productId, type, from }: { productId: number; type: EpisodeRow['type']; from: EpisodeRow | null },
): Promise<void> {
  const to = { status: 'published', type, publishedAt: tx.now(), heldAt: null, deletedAt: null } as const;
  const { takenDownAt = null } = from ?? {};
  await checkBalance(tx, productId, { changes: [{ from, to: { ...to, takenDownAt } }], areWritten: false });
}

/** Why a job may not publish an episode now; null if it may. The plan or the balance can change until a release. */
export async function findObstacle(tx: TxCtx, episode: EpisodeRow): Promise<AppError | null> {
  const { productId, type } = episode;
  return refusalOf(assertPublishable(tx, { productId, type, from: episode }));
}

/**
 * How many of the changes, from the first on, are allowed together, and the reason for the limit. Runs before they are
 * written. The order must put changes last that raise the number of public episodes: then a binary search finds the
 * limit.
 */
export async function countAllowed(
  tx: TxCtx,
  productId: number,
  changes: readonly PlaceChange[],
): Promise<{ allowed: number; obstacle: AppError | null }> {
  let [allowed, refused] = [0, changes.length + 1];
  let obstacle: AppError | null = null;
  for (let tried = changes.length; refused - allowed > 1; tried = (allowed + refused) >> 1) {
    const refusal = await refusalOf(
      checkBalance(tx, productId, { changes: changes.slice(0, tried), areWritten: false }),
    );
    if (refusal) [refused, obstacle] = [tried, refusal];
    else allowed = tried;
  }
  return { allowed, obstacle };
}

function refusalOf(checked: Promise<void>): Promise<AppError | null> {
  return checked.then(
    () => null,
    (error: unknown) => {
      if (error instanceof AppError) return error;
      throw error;
    },
  );
}

type Checked = { changes: readonly PlaceChange[]; areWritten: boolean };

async function checkBalance(tx: TxCtx, productId: number, { changes, areWritten }: Checked): Promise<void> {
  const shift = balanceShift(changes);
  const more = countNewPlaces(changes);
  if (shift <= 0 && more === 0) return;
  const { priceMinor, creatorId, takenDownAt } = await lockProduct(tx, productId);
  if (more > 0 && takenDownAt) throw productTakenDown();
  if (changes.some((change) => isNew(change) && change.to?.takenDownAt)) throw episodeTakenDown();
  if (more > 0) await requirePublishing(tx, creatorId);
  if (priceMinor === null) {
    if (more > 0) await requireRoomForEpisodes(tx, { creatorId, more: areWritten ? 0 : more });
    return;
  }
  if (shift <= 0) return;
  const published = await countPublished(tx, productId);
  const added = areWritten ? 0 : shift;
  if (isBalanced(true, { ...published, public: published.public + added })) return;
  throw addsPublic(changes) ? publicExceedsPrivate() : privateNeeded();
}

/**
 * Locks the product until the end of the transaction. Always lock episodes first, then their product, then slugs of
 * episodes, and creators last: the same order everywhere prevents deadlocks (docs/decisions/0177).
 */
export async function lockProduct(tx: TxCtx, productId: number) {
  const { priceMinor, creatorId, takenDownAt } = products;
  const columns = { priceMinor, creatorId, takenDownAt };
  const [product] = await tx.db.select(columns).from(products).where(eq(products.id, productId)).for('no key update');
  return product!;
}

/** How many more public than private places the changes leave. Only an increase can break the rule. */
export function balanceShift(changes: readonly PlaceChange[]): number {
  return changes.reduce((sum, { from, to }) => sum + weightOf(to) - weightOf(from), 0);
}

function weightOf(place: PlaceFacts | null): number {
  if (!place || !countsForBalance(place)) return 0;
  return place.type === 'public' ? 1 : -1;
}

/** The number of episodes that newly get a place. */
const countNewPlaces = (changes: readonly PlaceChange[]): number => changes.filter(isNew).length;
const isNew = ({ from, to }: PlaceChange): boolean => to !== null && hasPlace(to) && !(from && hasPlace(from));

/** Whether a public episode takes a place; if not, private episodes give up theirs. */
function addsPublic(changes: readonly PlaceChange[]): boolean {
  return changes.some(({ from, to }) => weightOf(to) > 0 && weightOf(from) <= 0);
}
