import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import type { Caller } from '~/server/trpc/caller';

type Readiness = Awaited<ReturnType<Caller['feeds']['readiness']>>;
export type ShownReadiness = ReturnType<typeof withRuleTexts>;

/** The report with the texts of its rules: they are many, and only the server loads them. */
export function withRuleTexts(language: Language, { findings, passed, figures, ...report }: Readiness) {
  const feeds = translator(language, 'feeds');
  const t = translator(language, 'distribution');
  const textOf = (rule: string) => {
    const text = feeds(rule, figures);
    // the one rule that we add, because the feed itself doesn't show it
    return text === rule ? t(`rule.${rule}`, figures) : text;
  };
  // the rules are written as facts, which an unmet one is not
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
