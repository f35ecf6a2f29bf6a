import { acceptReferral, listReferrals, refuseReferral } from '../domain/affiliates/review-referrals';
import { type Command, type CommandGroup, requireRowId, timeCell, UsageError } from './command';

const list: Command = {
  usage: 'list [refused]',
  async run({ ctx }, args) {
    const [only, ...others] = args;
    if (others.length > 0 || (only !== undefined && only !== 'refused')) throw new UsageError('expected “refused”');
    const found = await listReferrals(ctx, { isRefused: only === 'refused' });
    return found.map(({ createdAt, refusedFor, ...row }) => ({
      ...row,
      since: timeCell(createdAt),
      refused: refusedFor,
    }));
  },
};

const refuse: Command = {
  usage: 'refuse ID',
  async run({ ctx, operator }, args) {
    const id = requireRowId(args);
    await refuseReferral(ctx, { operator, id });
    return [{ id, state: 'refused' }];
  },
};

const accept: Command = {
  usage: 'accept ID',
  async run({ ctx, operator }, args) {
    const id = requireRowId(args);
    await acceptReferral(ctx, { operator, id });
    return [{ id, state: 'accepted' }];
  },
};

/** `affiliates`: the accounts that the links of affiliates have brought. */
export const affiliateCommands: CommandGroup = { list, refuse, accept };
