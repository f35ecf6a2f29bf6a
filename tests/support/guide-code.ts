import fs from 'node:fs';
import type { Language } from '~/locales/languages';

/** The programs of a guide in a programming language, in their order. */
export function guideCode(language: Language, guide: string, programming: string): string[] {
  const text = fs.readFileSync(`content/${language}/guides/${guide}.md`, 'utf8');
  return [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].flatMap(([, of, code]) => (of === programming ? [code!] : []));
}
