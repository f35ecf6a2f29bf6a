import { payByForms } from '../support/stripe-pages';
import { sandboxFetch, testStripe } from '../support/stripe-sandbox';
import { paymentsSuite } from './payments.suite';

const { payments, stripe, sandbox } = await testStripe();

paymentsSuite('sandbox', {
  payments,
  stripe,
  real: false,
  pay: (url, said) => payByForms(sandboxFetch(sandbox), url, said),
});
