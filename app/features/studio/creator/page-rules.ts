import type { FormRules } from '~/app/features/studio/drafts/use-rules';
import { checkForm, type FieldErrors, type FormValues, toInput } from '~/app/lib/check-form';
import type { Translate } from '~/locales/translate';
import type { PagePart } from '~/server/domain/creators/rules';
import { claimDomain, pagePartOf, type UpdateCreator, updateCreator } from '~/server/domain/creators/schema';
import { updateDonationSettings } from '~/server/domain/donations/schema';
import { LIST_NAMES, readRows } from './page-values';

export const claimRules: FormRules = { schema: claimDomain };

/** The fields of the lists and of the donations have other names in the form. */
const MORE_ERRORS: Partial<Record<PagePart, FormRules['errorsOf']>> = { links: rowErrors, support: donationErrors };

export const rulesOf = (part: PagePart): FormRules => ({ schema: pagePartOf(part), errorsOf: MORE_ERRORS[part] });

/** The errors of the rows, by the names of their fields. */
function rowErrors(values: FormValues, t: Translate): FieldErrors {
  const found = LIST_NAMES.flatMap((list) => {
    const issues = updateCreator.shape[list].safeParse(readRows(list, values)).error?.issues ?? [];
    return issues.map(({ path, message, ...issue }) => {
      const max = 'maximum' in issue ? Number(issue.maximum) : 0;
      return [[list, ...path].join('.'), t(message, { max })] as const;
    });
  });
  return Object.fromEntries(found.reverse());
}

/** The fields that have no error. */
export function validPart(input: Record<string, unknown>): UpdateCreator {
  const shape: Record<string, { safeParse(value: unknown): { success: boolean } }> = updateCreator.shape;
  const valid = Object.entries(input).filter(([name, value]) => shape[name]?.safeParse(value).success);
  return Object.fromEntries(valid) as UpdateCreator;
}

/** The form's donation settings, which are no fields of the page itself. */
export const donationInput = (values: FormValues) => toInput(updateDonationSettings, values, []);

function donationErrors(values: FormValues, t: Translate): FieldErrors {
  return checkForm(updateDonationSettings, values, [], t);
}
