import {
  arrayOf,
  clearable,
  decimal,
  flag,
  group,
  type Input,
  integer,
  metadata,
  oneOf,
  type Rule,
  required,
  type Shape,
  text,
  timestamp,
} from '../wire/shapes';
import { DISCOUNTS } from './discounts';
import { ITEM, NEW_ITEM } from './subscription-items';

const timestampOrNow: Rule<number | 'now'> = {
  read: (value, path) => (value === 'now' ? 'now' : timestamp().read(value, path)),
};

export const TRIAL_SETTINGS = group({
  end_behavior: required(group({ missing_payment_method: required(oneOf('cancel', 'pause', 'create_invoice')) })),
});

/** The share of a connected account: the whole amount less the application fee, or a percentage. */
export const SHARE = group({ destination: required(text()), amount_percent: decimal(0, 100) });

export const CANCELLATION_DETAILS = group({
  comment: clearable(text()),
  feedback: clearable(
    oneOf(
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ),
  ),
});

/** Up to four fields on an invoice. */
export const CUSTOM_FIELDS = arrayOf(group({ name: required(text(40)), value: required(text(140)) }));

const SHARED = {
  invoice_settings: group({ custom_fields: clearable(CUSTOM_FIELDS) }),
  default_payment_method: clearable(text()),
  discounts: clearable(DISCOUNTS),
  metadata: metadata(),
  cancel_at_period_end: flag(),
  cancel_at: clearable(timestamp()),
  description: text(500),
  proration_behavior: oneOf('always_invoice', 'create_prorations', 'none'),
  application_fee_percent: clearable(decimal(0, 100)),
  transfer_data: clearable(SHARE),
  trial_settings: TRIAL_SETTINGS,
  payment_settings: group({
    save_default_payment_method: oneOf('off', 'on_subscription'),
    payment_method_types: clearable(arrayOf(oneOf('card'))),
  }),
  collection_method: oneOf('charge_automatically'),
} satisfies Shape;

export const CREATE = {
  ...SHARED,
  billing_mode: group({
    type: required(oneOf('flexible')),
    flexible: group({ proration_discounts: oneOf('included') }),
  }),
  customer: required(text()),
  items: required(arrayOf(NEW_ITEM)),
  trial_period_days: integer(0, 730),
  trial_end: timestampOrNow,
  payment_behavior: oneOf('allow_incomplete', 'default_incomplete', 'error_if_incomplete'),
  off_session: flag(),
  billing_cycle_anchor: timestamp(),
  backdate_start_date: timestamp(),
} satisfies Shape;

export const UPDATE = {
  ...SHARED,
  items: arrayOf(ITEM),
  trial_end: timestampOrNow,
  proration_date: timestamp(),
  payment_behavior: oneOf('allow_incomplete', 'error_if_incomplete'),
  billing_cycle_anchor: oneOf('now', 'unchanged'),
  pause_collection: clearable(
    group({ behavior: required(oneOf('keep_as_draft', 'mark_uncollectible', 'void')), resumes_at: timestamp() }),
  ),
  cancellation_details: CANCELLATION_DETAILS,
} satisfies Shape;

export type SubscriptionInput = Input<typeof CREATE>;
export type SubscriptionUpdate = Input<typeof UPDATE>;
