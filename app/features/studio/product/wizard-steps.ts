import { checkForm, type FieldErrors, type FormValues } from '~/app/lib/check-form';
import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import { createProduct } from '~/server/domain/products/schema';
import { checkPrices } from './price-values';

/** The steps of creating a show, each with its fields. */
export const STEPS = [
  { name: 'kind', fields: ['kind', 'name'] },
  { name: 'about', fields: ['description', 'category', 'language', 'coverKey'] },
  {
    name: 'price',
    fields: ['planType', 'price', 'annualPrice', 'currency', 'paysWhatTheyWant', 'trialDays', 'hideSubscribeButton'],
  },
  { name: 'address', fields: ['slug', 'isListed', 'explicit'] },
] as const satisfies { name: string; fields: string[] }[];

export type StepName = (typeof STEPS)[number]['name'];
export const STEP_PARAM = 'step';
export const CREATE_REQUIRED = ['kind', 'name', 'description', 'category', 'language', 'coverKey'] as const;

export function stepIn(params: URLSearchParams): number {
  const index = STEPS.findIndex(({ name }) => name === params.get(STEP_PARAM));
  return Math.max(0, index);
}

/** The first step with one of these fields; -1 if none has. */
export function stepOf(fields: string[]): number {
  return STEPS.findIndex((step) => step.fields.some((name) => fields.includes(name)));
}

/** The errors of a step's fields, which keep the user in the step. */
export function stepErrors(
  step: number,
  values: FormValues,
  { t, language, ignore }: { t: Translate; language: Language; ignore: readonly string[] },
): FieldErrors {
  const own: readonly string[] = STEPS[step]?.fields ?? [];
  const all = { ...checkForm(createProduct, values, CREATE_REQUIRED, t), ...checkPrices(values, t, language) };
  return Object.fromEntries(Object.entries(all).filter(([name]) => own.includes(name) && !ignore.includes(name)));
}
