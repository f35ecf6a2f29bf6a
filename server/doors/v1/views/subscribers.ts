import { z } from 'zod';
import { INVITED_RESULTS, REMOVED_RESULTS } from '../../../domain/billing/buyers/batch-rules';
import type { InvitedPerson } from '../../../domain/billing/buyers/invite-batch';
import type { RemovedPerson } from '../../../domain/billing/buyers/remove-batch';
import type { NewSubscriberFeed, SubscriberFeed } from '../../../domain/feeds/subscriber-feed';
import type { Serializer } from '../../../rest/call';
import { plainView } from './plain-view';
import { instant, url } from './values';

const invitedPersonView = plainView<InvitedPerson>('InvitedPerson', {
  email: z.string(),
  result: z.enum(INVITED_RESULTS),
  isTold: z.boolean(),
});

const removedPersonView = plainView<RemovedPerson>('RemovedPerson', {
  email: z.string(),
  result: z.enum(REMOVED_RESULTS),
});

/** The results of a batch, in the order of its entries. */
const resultsOf = <Item>(name: string, view: Serializer<Item>): Serializer<{ items: Item[] }> => ({
  name,
  schema: z.strictObject({ data: z.array(view.schema) }),
  write: ({ items }, ctx) => ({ data: items.map((item) => view.write(item, ctx)) }),
});

export const invitedView = resultsOf('InvitedPeople', invitedPersonView);
export const removedView = resultsOf('RemovedPeople', removedPersonView);

export const subscriberFeedView = plainView<SubscriberFeed>('SubscriberFeed', { createdAt: instant });
export const newSubscriberFeedView = plainView<NewSubscriberFeed>('NewSubscriberFeed', { url, createdAt: instant });
