import type { FormValues } from './check-form';
import type { Door } from './doors.server';
import { pathsFor, safeNext } from './paths';

type OpenedSession = Awaited<ReturnType<Door['api']['accounts']['logIn']>>;

const nextOf = ({ context, url }: Door) => safeNext(url.searchParams.get('next'), context.urls.settings);

/** The page after a log-in: the page that asked for it, or the studio. */
export const afterLogIn = (door: Door): string => nextOf(door) ?? pathsFor(door.url).dashboard;

/** The page where a log-in waits for its second factor. */
export const toLoginCode = (door: Door): string => pathsFor(door.url).loginCode(nextOf(door) ?? undefined);

/** The path of the first step, for users who took too long for the second step. */
export function startAgain(door: Door): string {
  const path = pathsFor(door.url).login(nextOf(door) ?? undefined);
  return `${path}${path.includes('?') ? '&' : '?'}notice=expired`;
}

/** The action of both steps: a passkey alone is enough in either step. */
export function passkeyOr(otherwise: (door: Door, values: FormValues) => Promise<OpenedSession>) {
  return (door: Door, { intent, ...values }: FormValues): Promise<OpenedSession> =>
    intent === 'passkey' ? door.api.accounts.logInWithPasskey(values as never) : otherwise(door, values);
}
