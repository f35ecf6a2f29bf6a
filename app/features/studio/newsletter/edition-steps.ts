import type { FormFailure } from '~/app/lib/doors.server';
import type { EditionChoices } from '~/server/domain/newsletter/edition-choices';
import type { EditionView } from '~/server/domain/newsletter/list-editions';
import type { EditionProblem } from '~/server/domain/newsletter/preview-edition';

/** The steps of an edition's form, in their order. */
export const STEPS = ['content', 'audience', 'seo', 'review'] as const;
export type EditionStep = (typeof STEPS)[number];

export const stepIn = (url: URL): EditionStep =>
  STEPS.find((step) => step === url.searchParams.get('step')) ?? 'content';

export const nextStep = (step: EditionStep): EditionStep => STEPS[STEPS.indexOf(step) + 1] ?? 'review';

export type StepProps = {
  edition: EditionView;
  choices: EditionChoices;
  problems: EditionProblem[];
  timeZone: string;
  failure?: FormFailure;
};
