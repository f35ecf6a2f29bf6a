import { donations } from '~/db/schema/donations';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; owner: { id: number; creatorId: number; api: Owner } };
type Owner = { creators: { update(input: { acceptsDonations: boolean }): Promise<unknown> } };

/** The rows of the authorization matrix about donations, to a creator who accepts them. */
export async function donationRows({ runtime, owner: { creatorId, api } }: Stage) {
  await api.creators.update({ acceptsDonations: true });
  const given = async () => {
    const now = runtime.now();
    const donor = { email: 'donor@mail.example', name: 'Donor', message: 'Hello' };
    const terms = { amountMinor: 500, currency: 'eur' as const, donatedAt: now };
    const values = { checkoutId: crypto.randomUUID(), creatorId, ...donor, ...terms };
    const [row] = await runtime.db.insert(donations).values(values).returning({ id: donations.id });
    return row!;
  };
  const page = () => ({ creatorId });
  const gift = () => ({ creatorId, amount: '5', currency: 'eur', every: 'once', email: 'a@mail.example' });
  return {
    'donations.page': [['everyone', page]],
    'donations.give': [['everyone', gift]],
    'donations.updateSettings': [['creators', () => ({ thankYouText: 'Thanks' })]],
    'donations.donors': [['ownTreasury', page]],
    'donations.export': [['ownTreasury', page]],
    'donations.hide': [['owner', async () => ({ ...(await given()), isHidden: true })]],
    'donations.stop': [['users', () => ({ id: 'x' })]],
  } satisfies Record<string, [rule: Rule, input?: () => Promise<Input> | Input][]>;
}
