import { insertionCampaigns } from '~/db/schema/insertions';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';
import { campaignRow } from './campaigns';

type Stage = { runtime: Runtime; owner: { creatorId: number }; showId: number };
type Rows = Record<string, [rule: Rule, input?: () => Input | Promise<Input>][]>;

/** The rows of the authorization matrix about campaigns. */
export function campaignRows({ runtime, owner, showId }: Stage) {
  const own = { creatorId: owner.creatorId, productId: showId };
  const campaign = async (over: object = {}) => {
    const [row] = await runtime.db
      .insert(insertionCampaigns)
      .values(campaignRow(own, over))
      .returning({ id: insertionCampaigns.id });
    return { id: row!.id };
  };
  const values = { name: 'Bodegas Mar', isDraft: true };
  return {
    'campaigns.get': [['ownReaders', () => campaign()]],
    'campaigns.figures': [['ownReaders', () => campaign()]],
    'campaigns.reach': [['ownReaders', () => ({ productId: showId, countries: ['ES'] })]],
    'campaigns.create': [['owner', () => ({ ...values, productId: showId })]],
    'campaigns.edit': [['owner', async () => ({ ...(await campaign({ isComplete: false })), ...values })]],
    'campaigns.switch': [['owner', async () => ({ ...(await campaign()), isActive: false })]],
    'campaigns.end': [['owner', () => campaign()]],
    'campaigns.remove': [['owner', () => campaign()]],
    'campaigns.promise': [['owner', () => ({ productId: showId, isPromised: false })]],
    'campaigns.move': [['owner', async () => ({ ...(await campaign()), direction: 'up' })]],
  } satisfies Rows;
}
