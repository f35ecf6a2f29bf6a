import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Losses } from '~/app/features/studio/plans/losses';
import type { PlanTexts } from '~/app/features/studio/plans/use-plan-texts';
import en from '~/locales/en/plans.json';
import es from '~/locales/es/plans.json';
import { LANGUAGES } from '~/locales/languages';
import { translate, type Values } from '~/locales/translate';

const TEXTS = { en, es };
const LOSSES = (['plays', 'subscribers', 'contacts'] as const).map((limit) => ({
  ...{ type: 'limit' as const, limit, used: 1200, allowed: 1000 },
}));

test.each(LANGUAGES)('a smaller plan says of each limit what it changes (%s)', (language) => {
  const t = (key: string, values?: Values) => translate(language, TEXTS[language], key, values);
  const html = renderToStaticMarkup(<Losses losses={LOSSES} to="FREE" texts={{ t } as PlanTexts} />);
  const lines = [...html.matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => line!);

  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/1[.,]?200.*Free/);
  // plays are of a month: none of them stay, and none are refused
  expect(lines.map((line) => /Existing ones stay|Lo existente|nothing can be added/.test(line))).toEqual([
    false,
    false,
    true,
  ]);
});
