import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import type { Caller } from '~/server/trpc/caller';

type Readiness = Awaited<ReturnType<Caller['feeds']['readiness']>>;
export type ShownReadiness = ReturnType<typeof withRuleTexts>;

/** The report with the texts of its rules. Only the server loads the texts, because there are many. */
export function withRuleTexts(language: Language, { findings, passed, figures, ...report }: Readiness) {
  const feeds = translator(language, 'feeds');
  const t = translator(language, 'distribution');
  const textOf = (rule: string) => {
    const text = feeds(rule, figures);
    // our own addition to the feed's rules, because the feed does not show this fact
    return text === rule ? t(`rule.${rule}`, figures) : text;
  };
  // the rules state facts, which would be wrong for an unmet rule
  const missingOf = (rule: string) => {
    const text = t(`missing.${rule}`, figures);
    return text === `missing.${rule}` ? t('ready.unmet', { rule: textOf(rule) }) : text;
  };
  return {
    ...report,
    findings: findings.map((finding) => ({ ...finding, text: missingOf(finding.rule) })),
    passed: passed.map(textOf),
  };
}
