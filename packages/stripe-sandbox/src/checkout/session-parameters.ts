import { CUSTOM_FIELDS, SHARE, TRIAL_SETTINGS } from '../billing/subscription-parameters';
import {
  arrayOf,
  clearable,
  currency,
  decimal,
  flag,
  group,
  httpUrl,
  type Input,
  integer,
  metadata,
  oneOf,
  required,
  type Shape,
  statementSuffix,
  text,
  timestamp,
} from '../wire/shapes';
import { LINE_ITEMS } from './orders';
import { SAVED_CARDS } from './saved-cards';

/** The languages of Stripe's page. */
const LOCALES =
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'.split(
    ' ',
  );

export const CREATE = {
  mode: required(oneOf('payment', 'subscription', 'setup')),
  line_items: LINE_ITEMS,
  customer: text(),
  customer_email: text(),
  customer_creation: oneOf('always', 'if_required'),
  success_url: httpUrl(),
  cancel_url: httpUrl(),
  client_reference_id: text(200),
  metadata: metadata(),
  locale: oneOf(...LOCALES),
  currency: currency(),
  discounts: arrayOf(group({ coupon: text(), promotion_code: text() })),
  allow_promotion_codes: flag(),
  billing_address_collection: oneOf('auto'),
  invoice_creation: group({
    enabled: required(flag()),
    invoice_data: group({
      custom_fields: clearable(CUSTOM_FIELDS),
      description: text(1500),
      footer: text(),
      metadata: metadata(),
    }),
  }),
  submit_type: oneOf('auto', 'book', 'donate', 'pay', 'subscribe'),
  expires_at: timestamp(),
  allowed_payment_method_types: arrayOf(oneOf('card')),
  payment_method_collection: oneOf('always', 'if_required'),
  saved_payment_method_options: SAVED_CARDS,
  payment_intent_data: group({
    description: text(),
    metadata: metadata(),
    receipt_email: text(),
    statement_descriptor_suffix: statementSuffix(),
    setup_future_usage: oneOf('off_session', 'on_session'),
    application_fee_amount: integer(0),
    transfer_data: group({ destination: required(text()), amount: integer(0) }),
  }),
  subscription_data: group({
    trial_period_days: integer(1, 730),
    trial_end: timestamp(),
    metadata: metadata(),
    description: text(500),
    application_fee_percent: decimal(0, 100),
    transfer_data: SHARE,
    trial_settings: TRIAL_SETTINGS,
  }),
  setup_intent_data: group({ metadata: metadata(), description: text() }),
} satisfies Shape;
export type SessionInput = Input<typeof CREATE>;
