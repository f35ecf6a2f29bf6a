import { randomUUID } from 'node:crypto';
import { contactBatches, contactSegments, contacts } from '~/db/schema/audience';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; owner: { creatorId: number } };

/** The rows of the authorization matrix about a creator's contacts. */
export function contactRows({ runtime: { db, now }, owner: { creatorId } }: Stage) {
  const email = () => `contact${randomUUID()}@mail.example`;
  const contact = async () => {
    const state = { status: 'active', source: 'form', language: 'en' } as const;
    const [row] = await db
      .insert(contacts)
      .values({ creatorId, email: email(), ...state })
      .returning({ id: contacts.id });
    return row!;
  };
  const batch = async () => {
    const change = { creatorId, action: 'deactivate', createdAt: now() } as const;
    const [row] = await db.insert(contactBatches).values(change).returning({ batchId: contactBatches.id });
    return row!;
  };
  const segment = async () => {
    const named = { creatorId, name: randomUUID(), filter: {} };
    const [row] = await db.insert(contactSegments).values(named).returning({ id: contactSegments.id });
    return row!;
  };
  return {
    'contacts.get': [['owner', contact]],
    'contacts.add': [['creators', () => ({ email: email(), hasAgreed: true })]],
    'contacts.update': [['owner', async () => ({ ...(await contact()), name: 'Nora', tags: ['VIP'] })]],
    'contacts.change': [['owner', async () => ({ ids: [(await contact()).id], action: 'delete' })]],
    'contacts.undoChange': [['owner', batch]],
    'contacts.saveSegment': [['creators', () => ({ name: randomUUID(), filter: { status: 'active' } })]],
    'contacts.renameSegment': [['owner', async () => ({ ...(await segment()), name: randomUUID() })]],
    'contacts.deleteSegment': [['owner', segment]],
  } satisfies Record<string, [rule: Rule, input?: () => Promise<Input> | Input][]>;
}
