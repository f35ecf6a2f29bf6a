import { toDecimal } from '../base/money';
import {
  endAllSessions,
  sendPasswordLink,
  showAccount,
  suspendUser,
  unsuspendUser,
  verifyByHand,
} from '../domain/console/accounts';
import { findUsers } from '../domain/console/find-anything';
import type { Operator } from '../domain/operators/record-operation';
import {
  type Admin,
  type Command,
  type CommandGroup,
  factsOf,
  operationLines,
  requireReason,
  requireRowId,
  timeCell,
  wordsIn,
} from './command';

const search: Command = {
  usage: 'search [WORDS]',
  async run({ ctx }, args) {
    return (await findUsers(ctx, wordsIn(args))).map(
      ({ createdAt, emailVerifiedAt, suspendedAt, deletedAt, ...row }) => ({
        ...row,
        created: createdAt.toISOString(),
        verified: timeCell(emailVerifiedAt),
        suspended: timeCell(suspendedAt),
        deleted: timeCell(deletedAt),
      }),
    );
  },
};

const show: Command = {
  usage: 'show ID',
  async run({ ctx }, args) {
    const user = await showAccount(ctx, requireRowId(args));
    const { id, email, name, country, language, creator, signedUpWith, sessions } = user;
    const facts = factsOf({
      ...{ id, email, name, country, language, signedUpWith, sessions },
      creator: creator && `${creator.id} ${creator.domain}`,
      password: user.hasPassword ? 'yes' : 'no',
      secondFactor: user.hasSecondFactor ? 'yes' : 'no',
      created: user.createdAt.toISOString(),
      verified: timeCell(user.emailVerifiedAt),
      suspended: timeCell(user.suspendedAt),
      deletionDue: timeCell(user.deletionDueAt),
      deleted: timeCell(user.deletedAt),
    });
    const paid = user.subscriptions.map(
      ({ purpose, status, priceMinor, currency, every, show: name, endsAt, providerId }) => ({
        what: `${purpose} ${name ?? ''}`.trim(),
        value: `${providerId} ${status} ${toDecimal(priceMinor)} ${currency.toUpperCase()} / ${every}${endsAt ? `, ends ${endsAt.toISOString()}` : ''}`,
      }),
    );
    return [...facts, ...paid, ...operationLines(user.operations)];
  },
};

type Verb = (ctx: Admin['ctx'], step: { operator: Operator; id: number }) => Promise<void>;

const step = (name: string, state: string, verb: Verb): Command => ({
  usage: `${name} ID`,
  async run({ ctx, operator }, args) {
    const id = requireRowId(args);
    await verb(ctx, { operator, id });
    return [{ id, state }];
  },
});

const suspend: Command = {
  usage: 'suspend ID --reason TEXT',
  options: ['reason'],
  async run({ ctx, operator }, args, options) {
    const id = requireRowId(args);
    await suspendUser(ctx, { operator, id, reason: requireReason(options) });
    return [{ id, state: 'suspended' }];
  },
};

export const userCommands: CommandGroup = {
  search,
  show,
  verify: step('verify', 'verified', verifyByHand),
  'end-sessions': step('end-sessions', 'logged out everywhere', endAllSessions),
  'send-password-link': step('send-password-link', 'link queued', sendPasswordLink),
  suspend,
  unsuspend: step('unsuspend', 'not suspended', unsuspendUser),
};
