import type { FormFailure } from '~/app/lib/doors.server';
import type { CheckedLinks } from '~/server/domain/newsletter/check-links';
import type { EditionChoices } from '~/server/domain/newsletter/edition-choices';
import type { EditionVersion } from '~/server/domain/newsletter/edition-versions';
import type { EditionView } from '~/server/domain/newsletter/list-editions';
import type { EditionProblem } from '~/server/domain/newsletter/preview-edition';

/** The steps of an edition's form, in their order. */
export const STEPS = ['content', 'audience', 'seo', 'review'] as const;
export type EditionStep = (typeof STEPS)[number];

export const stepIn = (url: URL): EditionStep =>
  STEPS.find((step) => step === url.searchParams.get('step')) ?? 'content';

export const nextStep = (step: EditionStep): EditionStep => STEPS[STEPS.indexOf(step) + 1] ?? 'review';

/** `?version=`: an earlier text of the edition; without one, what it is now. */
export function versionIn(url: URL): { version?: number } {
  const number = Number(url.searchParams.get('version'));
  return Number.isInteger(number) && number > 0 && number <= 1_000_000_000 ? { version: number } : {};
}

export type StepProps = {
  edition: EditionView;
  choices: EditionChoices;
  problems: EditionProblem[];
  /** Of the content, the latest first; empty in the other steps. */
  versions: EditionVersion[];
  /** Only in the last step. */
  preview: { subject: string; sender: string; from: string; restFrom: string | null };
  emailsLeft: { left: number; of: number } | null;
  onTitle: (title: string) => void;
  timeZone: string;
  failure?: FormFailure;
  /** After they were checked. */
  links?: CheckedLinks;
};
