import type { z } from 'zod';
import { type RoleAbility, roleMay } from '~/server/policy/roles';
import { appRouter } from '~/server/trpc/router';
import { APP_HOST } from './attacked-server';

export type Outcome = 'let in' | 'must log in' | 'refused';
/** `other` is another creator; the listener and the former member of the team have no creator page. */
export type CallerName = 'visitor' | 'listener' | 'other' | 'owner' | TeamCaller;
/** Members of the owner's team, and one who was removed while logged in. */
export type TeamCaller = 'editor' | 'analyst' | 'finance' | 'former';

type Expected = Record<CallerName, Outcome>;
const outcomes = (...[visitor, listener, other, owner]: [Outcome, Outcome, Outcome, Outcome]) => ({
  visitor,
  listener,
  other,
  owner,
});
const LOGGED_IN = outcomes('must log in', 'let in', 'let in', 'let in');
const CREATORS = outcomes('must log in', 'refused', 'let in', 'let in');
const OWNER = outcomes('must log in', 'refused', 'refused', 'let in');
const HIDDEN = outcomes('refused', 'refused', 'refused', 'let in');
const team = (...[editor, analyst, finance, former]: [Outcome, Outcome, Outcome, Outcome]) => ({
  editor,
  analyst,
  finance,
  former,
});
const ALL = team('let in', 'let in', 'let in', 'let in');
const MEMBERS = team('let in', 'let in', 'let in', 'refused');
const READERS = team('let in', 'let in', 'refused', 'refused');
/** Reads that include names and addresses of people who pay. */
const TREASURY = team('let in', 'refused', 'let in', 'refused');
const EDITORS = team('let in', 'refused', 'refused', 'refused');
const FINANCE = team('refused', 'refused', 'let in', 'refused');
const NOBODY = team('refused', 'refused', 'refused', 'refused');

export const RULES = {
  everyone: { ...outcomes('let in', 'let in', 'let in', 'let in'), ...ALL },
  /** Calls about the caller's own account. */
  users: { ...LOGGED_IN, ...ALL },
  /** Changes to the page of the creator that the caller works for. */
  creators: { ...CREATORS, ...EDITORS },
  /** Reads about the creator that the caller works for. */
  members: { ...CREATORS, ...MEMBERS },
  /** Reads about the money of the creator that the caller works for. */
  money: { ...CREATORS, ...FINANCE },
  readers: { ...CREATORS, ...READERS },
  /** Calls about the team of the caller's own page. */
  heads: { ...CREATORS, ...NOBODY },
  /** Changes to content of the owner. */
  owner: { ...OWNER, ...EDITORS },
  /** Reads for the owner's team. */
  ownMembers: { ...OWNER, ...MEMBERS },
  ownReaders: { ...OWNER, ...READERS },
  ownTreasury: { ...OWNER, ...TREASURY },
  ownMoney: { ...OWNER, ...FINANCE },
  /** Calls that the owner can't delegate. */
  ownerAlone: { ...OWNER, ...NOBODY },
  /** Calls for the owner alone, whose input is refused for another reason. */
  refusedOwner: { ...OWNER, ...NOBODY },
  /** Calls for the owner and editors, whose input is refused for another reason. */
  refusedWriters: { ...OWNER, ...EDITORS },
  /** A hidden object, which these callers could otherwise read. */
  hidden: { ...HIDDEN, ...READERS },
  /** Calls that require a token in the header of a REST request. */
  tokenOnly: { ...outcomes('must log in', 'refused', 'refused', 'refused'), ...NOBODY },
  /** Calls about objects that belong to none of the callers. */
  others: { ...outcomes('must log in', 'refused', 'refused', 'refused'), ...NOBODY },
  nobody: { ...outcomes('refused', 'refused', 'refused', 'refused'), ...NOBODY },
} as const satisfies Record<string, Expected>;

export type Rule = keyof typeof RULES | RoleAbility;

/** The expected outcomes of a call that requires this ability for the creator that the caller works for. */
function ofAbility(ability: RoleAbility): Expected {
  const [editor, analyst, finance] = (['editor', 'analyst', 'finance'] as const).map((role) =>
    roleMay(role, ability) ? 'let in' : 'refused',
  );
  return { ...CREATORS, ...team(editor!, analyst!, finance!, 'refused') };
}
const expectedFor = (rule: Rule): Expected =>
  rule in RULES ? RULES[rule as keyof typeof RULES] : ofAbility(rule as RoleAbility);

export type Input = Record<string, unknown>;
/** The object is flat at run time, although its type is nested. */
export const procedures = appRouter._def.procedures as unknown as Record<string, { _def: Definition }>;
type Definition = { type: string; inputs: z.ZodType[]; meta?: { openTo?: Rule | 'operators' } };

const SAMPLES: Input[] = [{ token: 'unknown' }, {}];

/** Inputs for a procedure that needs nothing from the cast: one input, or none. */
export function sampleInputs(name: string): (Input | undefined)[] {
  if (procedures[name]!._def.inputs.length === 0) return [undefined];
  return SAMPLES.filter((sample) => accepts(name, sample)).slice(0, 1);
}

export const accepts = (name: string, input: unknown) =>
  procedures[name]!._def.inputs.every((schema) => schema.safeParse(input).success);

/** The rows of procedures that say who may call them (server/trpc/init.ts), and need no input of the cast. */
export const statedRows = (): Record<string, [rule: Rule, input: () => Input | undefined][]> =>
  Object.fromEntries(
    Object.entries(procedures).flatMap(
      ([
        name,
        {
          _def: { meta },
        },
      ]) => {
        const rule = meta?.openTo === 'operators' ? 'others' : meta?.openTo;
        return rule ? sampleInputs(name).map((sample) => [name, [[rule, () => sample]]]) : [];
      },
    ),
  );

export function outcomeOf(status: number): Outcome | number {
  if (status === 401) return 'must log in';
  if (status === 403 || status === 404) return 'refused';
  return status < 500 && status !== 429 && status > 0 ? 'let in' : status;
}

type SendRaw = (...parts: string[]) => Promise<{ status: number; body: string }>;
type Sent = { method: string; path: string; headers: string[]; body?: Input };

/** Calls over HTTP, with the token of a session. */
export function authorizationDoors(sendRaw: SendRaw) {
  async function sendCall({ method, path, headers, body }: Sent): Promise<{ status: number; body: string }> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const type = body === undefined ? [] : ['Content-Type: application/json'];
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${APP_HOST}`, ...type, ...headers];
    return sendRaw(`${lines.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`, text);
  }

  async function callProcedure(name: string, token: string | null, input: Input | undefined): Promise<number> {
    const headers = token ? [`Cookie: token=${token}`] : [];
    const json = { json: input };
    const query = input ? `?input=${encodeURIComponent(JSON.stringify(json))}` : '';
    const isQuery = procedures[name]!._def.type === 'query';
    const path = `/trpc/${name}${isQuery ? query : ''}`;
    return (await sendCall({ method: isQuery ? 'GET' : 'POST', path, headers, body: isQuery ? undefined : json }))
      .status;
  }

  async function callRest(row: string, token: string | null, input: Input = {}): Promise<number> {
    const headers = token ? [`Authorization: Token ${token}`] : [];
    const [method = '', template = ''] = row.split(' ');
    const { id, productId, ...body } = input;
    const path = `/api/${template.replace(':id', String(id)).replace(':productId', String(productId))}`;
    const query = new URLSearchParams(body as Record<string, string>);
    if (method === 'GET') return (await sendCall({ method, path: `${path}?${query}`, headers })).status;
    return (await sendCall({ method, path, headers, body })).status;
  }

  return { callProcedure, callRest };
}

export const TEAM: readonly CallerName[] = ['former', 'finance', 'analyst', 'editor'];
/** Refused callers come first: the owner's call succeeds only if theirs have changed nothing. */
const ORDER = ['visitor', 'listener', 'other', 'former', 'finance', 'analyst', 'owner', 'editor'] as const;

/** Roles matter only for calls about a creator. A token works only for its own account, so its role does not matter. */
export function callersOf(rule: Rule, isRest: boolean): readonly CallerName[] {
  const isAboutCreator = rule !== 'everyone' && rule !== 'users' && !isRest;
  return isAboutCreator ? ORDER : ORDER.filter((caller) => !TEAM.includes(caller) || caller === 'analyst');
}

export function expectedOf(rule: Rule, isRest: boolean, callers: CallerName[]) {
  const asWhom = (caller: CallerName) => (isRest && TEAM.includes(caller) ? 'listener' : caller);
  return Object.fromEntries(callers.map((caller) => [caller, expectedFor(rule)[asWhom(caller)]]));
}
