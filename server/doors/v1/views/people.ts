import { z } from 'zod';
import { BUYER_STATES } from '~/db/values/buyer-states';
import { CURRENCIES } from '../../../base/money';
import type { ContactChange } from '../../../domain/audience/change-contacts';
import type { ContactPage, ContactView } from '../../../domain/audience/contact-list';
import type { ContactPageView } from '../../../domain/audience/contact-page';
import type { BuyerView } from '../../../domain/billing/buyers/buyer-list';
import type { BuyerDetails } from '../../../domain/billing/buyers/buyers';
import type { Serializer } from '../../../rest/call';
import type { Walked } from '../v1-call';
import { plainView } from './plain-view';
import { instant } from './values';

export const subscriberView = plainView<BuyerView>('Subscriber', {
  userId: z.int(),
  name: z.string().nullable(),
  email: z.string(),
  state: z.enum(BUYER_STATES),
  since: instant,
  until: instant.nullable(),
  renewsAt: instant.nullable(),
  revenueMinor: z.int(),
  currency: z.enum(CURRENCIES),
  every: z.enum(['month', 'year']).nullable(),
  priceMinor: z.int().nullable(),
});

export const oneSubscriberView: Serializer<BuyerDetails> = {
  ...subscriberView,
  write: ({ buyer }, ctx) => subscriberView.write(buyer, ctx),
};

export const contactView = plainView<ContactView>('Contact', {
  id: z.int(),
  email: z.string(),
  name: z.string(),
  state: z.string(),
  since: instant,
  months: z.int().nullable(),
  tags: z.array(z.string()),
  sources: z.array(z.string()),
  lastSeenOn: z.iso.date().nullable(),
});

/** Contacts have cursors of their own, so that millions of them can be walked through. */
export const walkContacts = ({ items, found, after }: ContactPage): Walked => ({
  items,
  total: found.count,
  next: after,
});

export const oneContactView: Serializer<ContactPageView> = {
  ...contactView,
  write: ({ contact }, ctx) => contactView.write(contact, ctx),
};

/** `batch_id`: with which the studio undoes it, for a day. */
export const contactChangeView = plainView<ContactChange>('ContactChange', {
  batchId: z.string().nullable(),
  changed: z.int(),
});
