export type DemoProfile = {
  description: string;
  timeZone: string;
  iban?: string;
  paypalEmail?: string;
  taxNumber: string;
  billingName: string;
  street: string;
  postalCode: string;
  city: string;
};

/** Profiles by email address. */
export const PROFILES: Record<string, DemoProfile> = {
  'lucia@altavoz.example': {
    description: 'Compositora. Valencia, mar y sintetizadores.',
    timeZone: 'Europe/Madrid',
    // the example of the IBAN registry
    iban: 'ES91 2100 0418 4502 0005 1332',
    taxNumber: '12345678Z',
    billingName: 'Lucía Ferrer',
    street: 'Carrer de la Reina, 12',
    postalCode: '46011',
    city: 'Valencia',
  },
  'ada@altavoz.example': {
    description: 'I keep servers awake by day and sing them to sleep by night.',
    timeZone: 'America/New_York',
    paypalEmail: 'ada@altavoz.example',
    taxNumber: '91-1144442',
    billingName: 'Bright Audio LLC',
    street: '12 Water Street',
    postalCode: '04101',
    city: 'Portland',
  },
  'tom@altavoz.example': {
    description: 'Listens on the night bus.',
    timeZone: 'Europe/London',
    taxNumber: '',
    billingName: 'Tom Weaver',
    street: '3 Canal Walk',
    postalCode: 'M1 2AB',
    city: 'Manchester',
  },
};
