/** The nullable fields of each kind, all null, from the SDK's declarations. */
const nullFields = <const Names extends string>(names: Names) =>
  Object.fromEntries(names.split(' ').map((name) => [name, null])) as Record<Words<Names>, null>;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

export const NULL_FIELDS = {
  customer: nullFields('default_source description email shipping'),
  paymentMethod: nullFields('customer customer_account metadata'),
  setupIntent: nullFields(
    'allowed_payment_method_types application automatic_payment_methods cancellation_reason client_secret customer description excluded_payment_method_types last_setup_error latest_attempt mandate metadata next_action on_behalf_of payment_method payment_method_configuration_details payment_method_options single_use_mandate',
  ),
  paymentIntent: nullFields(
    'allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at cancellation_reason client_secret customer customer_account description excluded_payment_method_types last_payment_error latest_charge managed_payments next_action on_behalf_of payment_method payment_method_configuration_details payment_method_options payment_record processing receipt_email review setup_future_usage shipping source statement_descriptor statement_descriptor_suffix transfer_group',
  ),
  charge: nullFields(
    'application application_fee application_fee_amount balance_transaction calculated_statement_descriptor customer description failure_balance_transaction failure_code failure_message fraud_details on_behalf_of outcome payment_intent payment_method payment_method_details receipt_email receipt_number receipt_url review shipping source source_transfer statement_descriptor statement_descriptor_suffix transfer_data transfer_group',
  ),
  balanceTransaction: nullFields('description exchange_rate source'),
  product: nullFields('description package_dimensions shippable tax_details url'),
  price: nullFields(
    'custom_unit_amount lookup_key nickname recurring tax_behavior tiers_mode transform_quantity unit_amount unit_amount_decimal',
  ),
  coupon: nullFields('amount_off currency duration_in_months max_redemptions metadata name percent_off redeem_by'),
  promotionCode: nullFields('customer customer_account expires_at max_redemptions metadata'),
  discount: nullFields(
    'checkout_session customer customer_account end invoice invoice_item promotion_code subscription subscription_item',
  ),
  subscription: nullFields(
    'application application_fee_percent billing_cycle_anchor_config billing_thresholds cancel_at canceled_at cancellation_details customer_account days_until_due default_payment_method default_source description ended_at latest_invoice managed_payments next_pending_invoice_item_invoice on_behalf_of pause_collection payment_settings pending_invoice_item_interval pending_setup_intent pending_update schedule test_clock transfer_data trial_end trial_settings trial_start',
  ),
  subscriptionItem: nullFields('billing_thresholds current_trial tax_rates'),
  plan: nullFields(
    'amount amount_decimal metadata meter nickname product tiers_mode transform_usage trial_period_days',
  ),
  invoice: nullFields(
    'account_country account_name account_tax_ids application automatically_finalizes_at billing_reason custom_fields customer customer_account customer_address customer_email customer_name customer_phone customer_shipping customer_tax_exempt default_payment_method default_source description due_date effective_at ending_balance footer from_invoice last_finalization_error latest_revision metadata next_payment_attempt number on_behalf_of parent receipt_number rendering shipping_cost shipping_details statement_descriptor status subtotal_excluding_tax test_clock total_discount_amounts total_excluding_tax total_pretax_credit_amounts total_taxes webhooks_delivered_at',
  ),
  invoiceLineItem: nullFields(
    'description discount_amounts invoice parent pretax_credit_amounts pricing quantity quantity_decimal subscription taxes',
  ),
  invoicePayment: nullFields('amount_paid'),
  session: nullFields(
    'adaptive_pricing after_expiration allow_promotion_codes allowed_payment_method_types amount_subtotal amount_total billing_address_collection cancel_url client_reference_id client_secret collected_information consent consent_collection currency currency_conversion customer customer_account customer_creation customer_details customer_email discounts integration_identifier invoice invoice_creation locale managed_payments metadata origin_context payment_intent payment_link payment_method_collection payment_method_configuration_details payment_method_options permissions recovered_from saved_payment_method_options setup_intent shipping_address_collection shipping_cost status submit_type subscription success_url total_details ui_mode url wallet_options',
  ),
  lineItem: nullFields('adjustable_quantity description metadata price quantity'),
  refund: nullFields(
    'balance_transaction charge customer customer_account metadata payment_intent payment_method reason receipt_number source_transfer_reversal status transfer_reversal',
  ),
  dispute: nullFields('intended_submission_method payment_intent'),
  review: nullFields('billing_zip closed_reason ip_address ip_address_location session'),
  account: nullFields('email'),
  transfer: nullFields('balance_transaction description destination source_transaction transfer_group'),
  transferReversal: nullFields('balance_transaction destination_payment_refund metadata source_refund'),
  payout: nullFields(
    'application_fee application_fee_amount balance_transaction description destination failure_balance_transaction failure_code failure_message metadata original_payout payout_method reversed_by statement_descriptor trace_id',
  ),
  applicationFee: nullFields('balance_transaction fee_source originating_transaction'),
  feeRefund: nullFields('balance_transaction metadata'),
  webhookEndpoint: nullFields('api_version application description'),
  testClock: nullFields('name'),
} as const;
