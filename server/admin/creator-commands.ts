import { toDecimal } from '../base/money';
import { allowCreator, showCreator, stopCreator } from '../domain/console/allow-publishing';
import { findCreators } from '../domain/console/find-anything';
import { closeInsertions, openInsertions } from '../domain/console/open-insertions';
import { type Command, type CommandGroup, factsOf, operationLines, requireRowId, timeCell, wordsIn } from './command';
import { reasonedStep, step } from './steps';

const search: Command = {
  usage: 'search [WORDS]',
  async run({ ctx }, args) {
    return (await findCreators(ctx, wordsIn(args))).map(({ claimedAt, publishingStoppedAt, closedAt, ...row }) => ({
      ...row,
      claimed: claimedAt.toISOString(),
      publishingStopped: timeCell(publishingStoppedAt),
      closed: timeCell(closedAt),
    }));
  },
};

const show: Command = {
  usage: 'show ID',
  async run({ ctx }, args) {
    const creator = await showCreator(ctx, requireRowId(args));
    const { id, name, domain, url, user, plan, subscribers, paidSubscribers, audioBytes } = creator;
    const facts = factsOf({
      ...{ id, name, domain, url, user: `${user.id} ${user.email}`, plan, subscribers, paidSubscribers, audioBytes },
      claimed: creator.claimedAt.toISOString(),
      publishingStopped: timeCell(creator.publishingStoppedAt),
      closed: timeCell(creator.closedAt),
    });
    const balances = creator.balances.map(({ currency, availableMinor, pendingMinor }) => ({
      what: `balance ${currency.toUpperCase()}`,
      value: `${toDecimal(availableMinor)} available, ${toDecimal(pendingMinor)} pending`,
    }));
    const shows = creator.shows.map(({ id: showId, name: title, priceMinor, currency, published }) => ({
      what: `show ${showId}`,
      value: `${title}, ${priceMinor === null ? 'free' : `${toDecimal(priceMinor)} ${currency.toUpperCase()}`}, ${published} published`,
    }));
    return [...facts, ...balances, ...shows, ...operationLines(creator.operations)];
  },
};

export const creatorCommands: CommandGroup = {
  search,
  show,
  'stop-publishing': reasonedStep(
    { name: 'stop-publishing', state: 'publishes nothing more', idIn: requireRowId },
    stopCreator,
  ),
  'open-insertions': step(
    { name: 'open-insertions', state: 'may insert audio on any plan', idIn: requireRowId },
    openInsertions,
  ),
  'close-insertions': step(
    { name: 'close-insertions', state: 'inserts audio as the plan says', idIn: requireRowId },
    closeInsertions,
  ),
  'allow-publishing': step({ name: 'allow-publishing', state: 'may publish', idIn: requireRowId }, allowCreator),
};
