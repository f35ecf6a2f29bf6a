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
import { type Command, type CommandGroup, factsOf, operationLines, requireRowId, timeCell, wordsIn } from './command';
import { reasonedStep, step } from './steps';

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

export const userCommands: CommandGroup = {
  search,
  show,
  verify: step({ name: 'verify', state: 'verified', idIn: requireRowId }, verifyByHand),
  'end-sessions': step({ name: 'end-sessions', state: 'logged out everywhere', idIn: requireRowId }, endAllSessions),
  'send-password-link': step(
    { name: 'send-password-link', state: 'link queued', idIn: requireRowId },
    sendPasswordLink,
  ),
  suspend: reasonedStep({ name: 'suspend', state: 'suspended', idIn: requireRowId }, suspendUser),
  unsuspend: step({ name: 'unsuspend', state: 'not suspended', idIn: requireRowId }, unsuspendUser),
};
