import { contactImports } from '~/db/schema/contact-imports';
import type { Runtime } from '~/server/runtime/runtime';
import type { Input, Rule } from './authorization';

type Stage = { runtime: Runtime; owner: { creatorId: number } };

/** The rows of the authorization matrix about imports of contacts. */
export function contactImportRows({ runtime: { db }, owner: { creatorId } }: Stage) {
  const finished = async () => {
    const file = { fileKey: 'none', fileName: 'list.csv', host: 'other', kind: 'contacts', language: 'en' } as const;
    const mapping = { columns: {} as never, order: 'dmy', names: [] } as const;
    const declared = { consent: 'agreed', consentedOn: '2026-11-01', status: 'done' } as const;
    const [row] = await db
      .insert(contactImports)
      .values({ creatorId, ...file, mapping: { ...mapping, names: [] }, ...declared })
      .returning({ id: contactImports.id });
    return row!;
  };
  const declared = { contactsKey: 'unknown', hasAgreed: true, consentSource: 'a form', consentedOn: '2026-11-01' };
  return {
    'contactImports.preview': [['creators', () => ({ contactsKey: 'unknown' })]],
    'contactImports.problems': [['owner', finished]],
    'contactImports.request': [['creators', () => declared]],
  } satisfies Record<string, [rule: Rule, input?: () => Promise<Input> | Input][]>;
}
