import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { switches } from '~/db/schema/switches';
import { SWITCHES, type SwitchName } from '~/db/values/switches';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { switchedOff } from './errors';

/**
 * `subject`: identifies the user for the percentage, always in the same way. `creatorId`: a creator for whom the
 * feature may be on in any case.
 */
type Asked = { subject: string | number; creatorId?: number | null };

/** @throws switch.off */
export async function requireSwitch({ db }: Pick<Ctx, 'db'>, name: SwitchName, asked: Asked): Promise<void> {
  const [row] = await db.select().from(switches).where(eq(switches.name, name));
  if (!row || (asked.creatorId && row.creatorIds.includes(asked.creatorId))) return;
  if (shareOf(name, asked.subject) >= row.percent) throw switchedOff();
}

/** A number from 0 to 99. It depends on the switch, so that different users wait each time. */
function shareOf(name: SwitchName, subject: string | number): number {
  return createHash('sha256').update(`${name}/${subject}`).digest().readUInt32BE() % 100;
}

export type SwitchState = Pick<typeof switches.$inferSelect, 'name' | 'percent' | 'creatorIds'> & {
  changedAt: Date | null;
  changedBy: string | null;
};

/** All switches, including those that operators have never changed. */
export async function listSwitches({ db }: Pick<Ctx, 'db'>): Promise<SwitchState[]> {
  const rows = await db.select().from(switches).limit(SWITCHES.length);
  const untouched = { percent: 100, creatorIds: [], changedAt: null, changedBy: null };
  return SWITCHES.map((name) => rows.find((row) => row.name === name) ?? { name, ...untouched });
}

export type Setting = Pick<SwitchState, 'name' | 'percent'> & Partial<Pick<SwitchState, 'creatorIds'>>;

/** Without `creatorIds`, the stored exceptions stay. @returns the exceptions afterwards */
export async function writeSwitch(tx: TxCtx, { name, ...values }: Setting, changedBy: string): Promise<number[]> {
  const set = { ...values, changedAt: tx.now(), changedBy };
  const [row] = await tx.db
    .insert(switches)
    .values({ name, ...set })
    .onConflictDoUpdate({ target: switches.name, set })
    .returning({ creatorIds: switches.creatorIds });
  return row!.creatorIds;
}
