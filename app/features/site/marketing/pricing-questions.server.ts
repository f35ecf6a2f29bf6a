import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { TRIAL_LIMITS } from '~/server/limits/plans';

/** `html`: the answer with its links, if it has any. */
export type Question = { name: string; question: string; answer: string; html?: string };

/** About plans, whose numbers are in the texts. */
const OWN = ['trial', 'outgrown', 'change', 'cards'] as const;
/** Questions of /faq that people also ask about prices, by their files. */
const SHARED = ['paid-vat', 'paid-when', 'data-leave', 'data-own-server'];
const ABOUT_VAT = 'paid-vat';

/** Questions about prices, and their answers. An operator who declares no VAT says nothing about it. */
export async function pricingQuestions({ api, context }: Pick<Door, 'api' | 'context'>): Promise<Question[]> {
  const t = translator(context.language, 'pricing');
  const values = { days: TRIAL_LIMITS.days };
  const own = OWN.map((name) => ({
    name,
    question: t(`question.${name}`, values),
    answer: t(`answer.${name}`, values),
  }));
  const chargesVat = context.settings.operator.vatNumber !== null;
  const shared = (await api.content.questions())
    .flatMap(({ questions }) => questions)
    .filter(({ id }) => SHARED.includes(id) && (chargesVat || id !== ABOUT_VAT))
    .map(({ slug, question, text, html }) => ({ name: slug, question, answer: text, html }));
  return [...own, ...shared];
}
