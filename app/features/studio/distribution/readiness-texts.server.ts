import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import type { Caller } from '~/server/trpc/caller';

type Readiness = Awaited<ReturnType<Caller['feeds']['readiness']>>;
export type ShownReadiness = ReturnType<typeof withRuleTexts>;

const EMPTY_FEED = 'episodes_present';

/**
 * The report with the texts of its rules. Only the server loads the texts, because there are many. `publishedCount`:
 * with the episodes that are not in the public feed.
 */
export function withRuleTexts(
  language: Language,
  { findings, passed, figures, ...report }: Readiness,
  { publishedCount }: { publishedCount: number },
) {
  const feeds = translator(language, 'feeds');
  const t = translator(language, 'distribution');
  const textOf = (rule: string) => {
    const text = feeds(rule, figures);
    // our own addition to the feed's rules, because the feed does not show this fact
    return text === rule ? t(`rule.${rule}`, figures) : text;
  };
  // the rules state facts, which would be wrong for an unmet rule
  const missingOf = (rule: string) => {
    if (rule === EMPTY_FEED && publishedCount > 0) return t('missing.episodes_private');
    const text = t(`missing.${rule}`, figures);
    return text === `missing.${rule}` ? t('ready.unmet', { rule: textOf(rule) }) : text;
  };
  const remedyOf = ({ rule, remedy }: Readiness['findings'][number]) =>
    rule === EMPTY_FEED && publishedCount > 0 ? ('openEpisode' as const) : remedy;
  return {
    ...report,
    findings: findings.map((finding) => ({ ...finding, remedy: remedyOf(finding), text: missingOf(finding.rule) })),
    passed: passed.map(textOf),
  };
}
