import postgres from 'postgres';
import { connectionTo } from '~/db/tls';
import { SECONDS } from '../base/time';
import { type Finding, problem, warning } from './finding';

const CONNECT_SECONDS = 10;
const PATIENCE = SECONDS(2);
const POOLED = 'DATABASE_URL goes through a pooler in transaction mode:';

type Settings = { prepare: boolean; isDirect: boolean };

/**
 * The settings that a pooler in transaction mode needs, if there is one. `isDirect`: the settings name no other
 * address.
 */
export async function checkPooler(url: string, { prepare, isDirect }: Settings): Promise<Finding[]> {
  if (await hearsNotices(url)) return [];
  const found: Finding[] = [];
  if (isDirect) found.push(problem('database', `${POOLED} set DATABASE_DIRECT_URL, or changes are not heard`));
  if (prepare)
    found.push(
      warning(
        'database',
        `${POOLED} set DATABASE_PREPARE=0, unless it keeps prepared statements as PgBouncer 1.21 can`,
      ),
    );
  return found;
}

/** Only a session receives notifications. */
async function hearsNotices(url: string): Promise<boolean> {
  const { url: address, ssl } = connectionTo(url);
  const options = { max: 1, prepare: false, fetch_types: false, connect_timeout: CONNECT_SECONDS };
  const client = postgres(address, { ...options, ssl, onnotice: () => {} });
  try {
    const channel = `doctor_${process.pid}`;
    let answer: (isHeard: boolean) => void = () => {};
    const hearing = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    await client.listen(channel, () => answer(true));
    await client.notify(channel, '');
    const timer = setTimeout(() => answer(false), PATIENCE);
    return await hearing.finally(() => clearTimeout(timer));
  } finally {
    await client.end({ timeout: 1 });
  }
}
