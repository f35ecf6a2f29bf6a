import type { Language } from '~/locales/languages';
import { cleanEdition } from '../../edition/clean-edition';
import { isStoredPicture } from '../../edition/picture-path';
import type { Ctx } from '../../runtime/ctx';
import { lookupNewsletter } from './newsletter-settings';
import type { EditionRow } from './queries';
import { type AutomationStart, STARTS } from './rules';

type Draft = Pick<EditionRow, 'title' | 'preheader' | 'content' | 'delayHours'>;

/** The emails of a starting point, in the language of the newsletter, for the creator to change. */
export async function startingDrafts(ctx: Ctx, creatorId: number, start: AutomationStart): Promise<Draft[]> {
  const newsletter = await lookupNewsletter(ctx, creatorId);
  const written = newsletter?.language;
  const language: Language = written === 'es' || written === 'en' ? written : ctx.language;
  const text = (key: string) =>
    ctx.translate(`content:automation.draft.${start}.${key}`, { tag: FALLBACKS[language] }, language);
  return Promise.all(
    STARTS[start].delays.map(async (delayHours, index) => ({
      delayHours,
      title: text(`${index + 1}.title`),
      preheader: text(`${index + 1}.preheader`),
      content: await cleanEdition(text(`${index + 1}.content`), isStoredPicture),
    })),
  );
}

/** How each language greets somebody who has told no name. */
const FALLBACKS: Record<Language, string> = { en: '{{name|friend}}', es: '{{name|qué tal}}' };
