import { z } from 'zod';
import type { Period } from '../base/time';
import type { UrlSettings } from '../base/urls';
import { isProduction, needsOwnServices, type processShape, requireService } from './process';
import { SettingError } from './setting-error';
import { address, list, periods, text } from './setting-types';

export const operatorShape = {
  OPERATOR_NAME: text.optional(),
  OPERATOR_EMAIL: z.email('must be an email address').optional(),
  OPERATOR_ADDRESS: text.optional(),
  OPERATOR_STREET: text.optional(),
  OPERATOR_POSTAL_CODE: text.optional(),
  OPERATOR_TOWN: text.optional(),
  OPERATOR_COUNTRY: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be the two capital letters of a country, such as ES')
    .optional(),
  OPERATOR_VAT_NUMBER: z
    .string()
    .regex(/^[A-Z]{2}[A-Z0-9+*]{2,12}$/, 'must be a VAT number with its country, such as ESB12345674')
    .optional(),
  OPERATOR_VAT_AT_HOME: periods.optional(),
  OPERATOR_TAX_REGISTRATIONS: list
    .refine((words) => words.every((word) => /^[A-Z]{2}$/.test(word)), 'must list countries such as GB, NO')
    .optional(),
  OPERATOR_IBAN: z
    .string()
    .transform((iban) => iban.replace(/\s/g, '').toUpperCase())
    .pipe(z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN'))
    .optional(),
  OPERATOR_BIC: z
    .string()
    .regex(/^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, 'must be a BIC of 8 or 11 capital letters and digits')
    .optional(),
  HELP_URL: address('http:', 'https:').optional(),
  SUPPORT_CHAT: z
    .string()
    .regex(/^(?:crisp:[0-9a-f-]{36}|intercom:[a-z0-9]{4,20})$/i, 'must be crisp:{website ID} or intercom:{app ID}')
    .optional(),
};
type OperatorValues = z.infer<z.ZodObject<typeof operatorShape & typeof processShape>>;

/** `country` (ISO 3166-1 alpha-2) and `vatNumber`: without a number, it charges no VAT. */
type TaxSettings = {
  country: string;
  vatNumber: string | null;
  /** When consumers in other countries of the Union pay the operator's own VAT (Art. 59c of Directive 2006/112/EC). */
  vatAtHome: Period[];
  /** Countries outside the Union in which the operator pays taxes on its sales. */
  taxRegistrations: string[];
};
/** The operator of this installation, who is named on the legal pages and receives the contact form. */
export type OperatorSettings = TaxSettings & { name: string; email: string; address: string | null };
/**
 * The bank account that pays creators. The BIC is for banks that still ask for it. The address is the operator's, in
 * the parts that banks accept; null without a town.
 */
export type BankSettings = { iban: string; bic: string | null; address: BankAddress | null };
type BankAddress = { street: string | null; postalCode: string | null; town: string; country: string };

export function bankSettings(values: OperatorValues): BankSettings | null {
  const { OPERATOR_IBAN: iban, OPERATOR_BIC: bic } = values;
  return iban ? { iban, bic: bic ?? null, address: bankAddress(values) } : null;
}

function bankAddress(values: OperatorValues): BankAddress | null {
  const { OPERATOR_STREET: street, OPERATOR_POSTAL_CODE: postalCode, OPERATOR_TOWN: town } = values;
  return town
    ? { street: street ?? null, postalCode: postalCode ?? null, town, country: vatSettings(values).country }
    : null;
}

/** A chat with the operator, which another company provides. */
export type ChatSettings = { provider: 'crisp' | 'intercom'; id: string };
export type SupportSettings = { operator: OperatorSettings; helpUrl: string | null; chat: ChatSettings | null };

export function supportSettings(values: OperatorValues, { publicRoot }: UrlSettings): SupportSettings {
  if (needsOwnServices(values)) {
    requireService('OPERATOR_NAME', values.OPERATOR_NAME);
    requireService('OPERATOR_EMAIL', values.OPERATOR_EMAIL);
  }
  return {
    operator: {
      name: values.OPERATOR_NAME ?? 'Altavoz',
      email: values.OPERATOR_EMAIL ?? `hello@${publicRoot.replace(/:\d+$/, '')}`,
      address: values.OPERATOR_ADDRESS ?? null,
      ...taxSettings(values),
    },
    helpUrl: values.HELP_URL ?? null,
    chat: chatSettings(values.SUPPORT_CHAT),
  };
}

/** Outside production, an example company shows how VAT is charged. */
const EXAMPLE = { country: 'ES', vatNumber: 'ESB12345674' };

function taxSettings(values: OperatorValues): TaxSettings {
  const { OPERATOR_VAT_AT_HOME: vatAtHome = [], OPERATOR_TAX_REGISTRATIONS: taxRegistrations = [] } = values;
  return { ...vatSettings(values), vatAtHome, taxRegistrations };
}

function vatSettings(values: OperatorValues): Pick<TaxSettings, 'country' | 'vatNumber'> {
  const { OPERATOR_COUNTRY, OPERATOR_VAT_NUMBER: vatNumber } = values;
  if (!OPERATOR_COUNTRY && !vatNumber && !isProduction(values)) return EXAMPLE;
  const prefix = vatNumber?.slice(0, 2);
  const country = OPERATOR_COUNTRY ?? (prefix === 'EL' ? 'GR' : prefix);
  if (!country) return { country: 'ES', vatNumber: null };
  if (prefix && prefix !== (country === 'GR' ? 'EL' : country))
    throw new SettingError('OPERATOR_VAT_NUMBER must begin with the country of OPERATOR_COUNTRY (EL for Greece)');
  return { country, vatNumber: vatNumber ?? null };
}

function chatSettings(setting: string | undefined): ChatSettings | null {
  const [provider, id] = setting?.toLowerCase().split(':') ?? [];
  return id && (provider === 'crisp' || provider === 'intercom') ? { provider, id } : null;
}
