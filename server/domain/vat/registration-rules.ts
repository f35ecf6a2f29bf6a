/**
 * Taxes of countries outside the Union that a foreign seller of electronic services must register for. **A tax adviser
 * must confirm each row before the operator relies on it**; a row older than two years is reported by the doctor.
 * Amounts are whole units of `currency`. A country that is missing has not been looked at.
 */
export type RegistrationRule = {
  /** ISO 3166-1 alpha-2; several countries share a tax. */
  countries: readonly [string, ...string[]];
  tax: string;
  /** Sales there above which the seller registers; 0: from the first sale. Null: the buyer's bank collects the tax. */
  threshold: number | null;
  /** Sales everywhere that must be reached as well. */
  worldThreshold?: number;
  currency: string;
  /** `calendar_year`: this year or the last one. */
  period: 'twelve_months' | 'calendar_year';
  /** Whether sales to businesses are taxed, too. We can't tell them apart there, so all sales are counted. */
  taxes: 'consumers' | 'everyone';
  /** The first day of the rule. */
  since: string;
  source: string;
  /** Whether the source is a page of the tax office or the text of the law; if not, a report about them. */
  isOfficial: boolean;
  /** The day on which the source was read. */
  checkedOn: string;
  note?: string;
};

const checkedOn = '2026-11-26';

export const REGISTRATION_RULES: readonly RegistrationRule[] = [
  {
    ...{ countries: ['GB'], tax: 'VAT', threshold: 0, currency: 'gbp', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2012-12-01', isOfficial: true, checkedOn },
    source: 'https://www.gov.uk/hmrc-internal-manuals/vat-registration-manual/vatreg37050',
    note: 'within 30 days of the first sale',
  },
  {
    ...{ countries: ['CH', 'LI'], tax: 'VAT', threshold: 0, worldThreshold: 100_000, currency: 'chf' },
    ...{ period: 'calendar_year', taxes: 'consumers', since: '2018-01-01', isOfficial: false, checkedOn },
    source: 'https://www.vatupdate.com/2025/03/10/vat-liability-for-foreign-companies-in-switzerland',
    note: 'the worldwide turnover counts, from the first sale there',
  },
  {
    ...{ countries: ['NO'], tax: 'VAT (VOEC)', threshold: 50_000, currency: 'nok', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2011-07-01', isOfficial: true, checkedOn },
    source:
      'https://www.skatteetaten.no/en/business-and-organisation/vat-and-duties/vat/foreign/e-commerce-voec/register',
  },
  {
    ...{ countries: ['IS'], tax: 'VAT (VOES)', threshold: 2_000_000, currency: 'isk', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2011-11-01', isOfficial: false, checkedOn },
    source:
      'https://www.avalara.com/us/en/vatlive/country-guides/europe/iceland/icelandic-vat-electronic-services.html',
  },
  {
    ...{ countries: ['AU'], tax: 'GST', threshold: 75_000, currency: 'aud', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2017-07-01', isOfficial: true, checkedOn },
    source:
      'https://www.ato.gov.au/Business/International-tax-for-business/GST-on-imported-services-and-digital-products/Registration/',
  },
  {
    ...{ countries: ['NZ'], tax: 'GST', threshold: 60_000, currency: 'nzd', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2016-10-01', isOfficial: true, checkedOn },
    source: 'https://www.ird.govt.nz/gst/gst-for-overseas-businesses/supplying-remote-services-into-new-zealand',
  },
  {
    ...{ countries: ['CA'], tax: 'GST/HST', threshold: 30_000, currency: 'cad', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2021-07-01', isOfficial: true, checkedOn },
    source:
      'https://www.canada.ca/en/revenue-agency/services/tax/businesses/topics/gst-hst-businesses/digital-economy-gsthst/find-out-need-register/cross-border-threshold-amounts.html',
    note: 'Quebec, British Columbia and Saskatchewan have taxes of their own, with lower thresholds',
  },
  {
    ...{ countries: ['US'], tax: 'sales tax', threshold: 100_000, currency: 'usd', period: 'calendar_year' },
    ...{ taxes: 'everyone', since: '2018-06-21', isOfficial: false, checkedOn },
    source: 'https://suttax.avior.tax/doc/sut/economic-nexus-by-state',
    note: 'of a state: sales are compared as if all were in one; some states count 200 sales as well, some tax no audio',
  },
  {
    ...{ countries: ['JP'], tax: 'consumption tax', threshold: 10_000_000, currency: 'jpy', period: 'calendar_year' },
    ...{ taxes: 'everyone', since: '2015-10-01', isOfficial: false, checkedOn },
    source: 'https://vatabout.com/japan-consumption-tax-guide-for-non-resident-digital-service-providers',
    note: 'of the business year two years before, or the first half of the last one',
  },
  {
    ...{ countries: ['KR'], tax: 'VAT', threshold: 0, currency: 'krw', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2015-07-01', isOfficial: false, checkedOn },
    source: 'https://www.koisraup.com/simplified-vat-registration-in-south-korea/',
    note: 'within 20 days of the first sale',
  },
  {
    ...{ countries: ['IN'], tax: 'GST (OIDAR)', threshold: 0, currency: 'inr', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2017-07-01', isOfficial: false, checkedOn },
    source: 'https://taxguru.in/goods-and-service-tax/gst-registration-application-form-gst-reg-10.html',
  },
  {
    ...{ countries: ['MX'], tax: 'IVA', threshold: 0, currency: 'mxn', period: 'twelve_months' },
    ...{ taxes: 'everyone', since: '2020-06-01', isOfficial: true, checkedOn },
    source:
      'https://databaseconsulting.mx/Bases/CALEYIVA.nsf/7a19c73e3b37bd9a06256291005e3a98/5f3ad9835055a732862584cd00511328',
    note: 'Art. 18-D of the Ley del IVA: within 30 days of the first sale',
  },
  {
    ...{ countries: ['CL'], tax: 'IVA', threshold: 0, currency: 'clp', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2020-06-01', isOfficial: false, checkedOn },
    source: 'https://regfollower.com/chile-revises-vat-registration-payment-rules-for-non-resident-service-providers',
  },
  {
    ...{ countries: ['CO'], tax: 'IVA', threshold: 0, currency: 'cop', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2018-07-01', isOfficial: false, checkedOn },
    source: 'https://actualicese.com/resolucion-000051-de-19-10-2018',
  },
  {
    ...{ countries: ['BR'], tax: 'IBS and CBS', threshold: 0, currency: 'brl', period: 'twelve_months' },
    ...{ taxes: 'everyone', since: '2026-01-01', isOfficial: false, checkedOn },
    source: 'https://www.legjur.com/legislacao/art/lec_00002142025-23',
    note: 'Lei Complementar 214/2025, Art. 23; without a registration, the buyer’s bank collects; the start is not confirmed',
  },
  {
    ...{ countries: ['AR'], tax: 'IVA', threshold: null, currency: 'ars', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2018-06-27', isOfficial: false, checkedOn },
    source:
      'https://ignacioonline.com.ar/rg-4240-afip-impuesto-al-valor-agregado-servicios-digitales-prestados-por-un-sujeto-residente-o-domiciliado-en-el-exterior',
  },
  {
    ...{ countries: ['ZA'], tax: 'VAT', threshold: 1_000_000, currency: 'zar', period: 'twelve_months' },
    ...{ taxes: 'everyone', since: '2019-04-01', isOfficial: false, checkedOn },
    source:
      'https://saiba.academy/vat-registration-supply-of-electronic-services-by-foreign-suppliers-and-foreign-intermediaries',
    note: 'other sellers register above R2.3 million since April 2026; whether foreign ones do is not confirmed',
  },
  {
    ...{ countries: ['TR'], tax: 'VAT', threshold: 0, currency: 'try', period: 'twelve_months' },
    ...{ taxes: 'consumers', since: '2018-01-01', isOfficial: false, checkedOn },
    source:
      'https://cpaturk.com.tr/en/page/vat-requirements-for-non-resident-electronic-service-providers-in-turkey-comprehensive-guide.html',
  },
  {
    ...{ countries: ['SG'], tax: 'GST (OVR)', threshold: 100_000, worldThreshold: 1_000_000, currency: 'sgd' },
    ...{ period: 'calendar_year', taxes: 'consumers', since: '2020-01-01', isOfficial: false, checkedOn },
    source: 'https://www.crowe.com/sg/insights/overseas-vendor-registration-regime---faqs',
  },
];

/**
 * Units of a currency for one euro, only for warnings: reference rates of the European Central Bank of `RATES_ON`. They
 * differ from the rates of a return (`EuroRates`), which the operator gives.
 */
export const RATES_ON = '2026-10-06';
export const PER_EURO: Record<string, number> = {
  ...{ eur: 1, usd: 1.1269, gbp: 0.8488, chf: 0.9359, nok: 10.778, isk: 137.2, aud: 1.614, nzd: 2.0061 },
  ...{ cad: 1.6058, jpy: 178.15, zar: 18.5829, sgd: 1.4392 },
};
