const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** `Visa •••• 4242`; the dots and digits stay on one line. */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${BRANDS[brand] ?? brand} ••••\u00A0${last4}`;

/** `04/2031` */
export const cardExpiry = ({ expiresMonth, expiresYear }: { expiresMonth: number; expiresYear: number }): string =>
  `${String(expiresMonth).padStart(2, '0')}/${expiresYear}`;
