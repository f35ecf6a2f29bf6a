import { z } from 'zod';
import { HELP_AUDIENCES, CONTENT_LIMITS as LIMITS } from '../limits/content';

const SLUG = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const slug = z.string().max(LIMITS.slugLength).regex(SLUG, 'only lower-case letters, digits and hyphens');
const day = z.string().refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text), 'a day such as 2026-11-28');
const order = z.number().int().min(0).max(9999).default(1000);
const address = z
  .string()
  .max(500)
  .regex(/^(?:https:\/\/|\/)\S+$/, 'an address that begins with https:// or /');

/** As on the app's host in any installation: the page of stories shows it if there is such a show. */
const showAddress = z
  .string()
  .max(200)
  .regex(/^\/@[a-z\d-]+\/p\/[a-z\d-]+$/, 'a show, such as /@lucia/p/noches-de-taller');

/** `new Date` accepts 31 February. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const common = {
  title: z.string().trim().min(1).max(LIMITS.titleLength),
  description: z.string().trim().min(1).max(LIMITS.descriptionLength),
  /** The last part of the address; by default the name of the file. */
  slug: slug.optional(),
};
const tags = z.array(z.string().trim().min(1).max(LIMITS.tagLength)).min(1).max(LIMITS.tags);
/** The page's one next step. */
const next = z.strictObject({ text: z.string().trim().min(1).max(80), to: address });

/** A page of another site that says what the text says. */
const source = z.strictObject({
  text: z.string().trim().min(1).max(120),
  to: z
    .string()
    .max(500)
    .regex(/^https:\/\/\S+$/, 'an address that begins with https://'),
});

/** The sentences below the title. */
const lead = z.string().trim().min(1).max(LIMITS.descriptionLength);

/** What each collection's files say before their text. Unknown names are mistakes. */
export const COLLECTIONS = {
  posts: z.strictObject({
    ...common,
    date: day,
    updated: day.optional(),
    author: z.string().trim().min(1).max(80).optional(),
    tags,
  }),
  pages: z.strictObject({ ...common, next: next.optional(), updated: day.optional() }),
  stories: z.strictObject({ ...common, order, isExample: z.boolean(), show: showAddress.optional() }),
  questions: z.strictObject({ ...common, order, topic: z.string().trim().min(1).max(60) }),
  webinars: z.strictObject({ ...common, date: day, minutes: z.number().int().min(1).max(600), to: address }),
  resources: z.strictObject({ ...common, order, next: next.optional() }),
  hosts: z.strictObject({
    ...common,
    order,
    name: z.string().trim().min(1).max(40),
    checked: day,
    sources: z.array(source).max(10).default([]),
  }),
  help: z.strictObject({ ...common, order, audience: z.enum(HELP_AUDIENCES) }),
  guides: z.strictObject({ ...common, order }),
  /** Their addresses are ours (`locales/slugs.ts`), because consents and footers name them. */
  legal: z.strictObject({ title: common.title, description: common.description, lead, updated: day }),
};

export type Collection = keyof typeof COLLECTIONS;
export type FrontMatter<C extends Collection> = z.infer<(typeof COLLECTIONS)[C]>;

export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as Collection[];
/** The name of a file without its ending, which its translations and the operator's replacement share. */
export const isEntryId = (name: string): boolean => name.length <= LIMITS.slugLength && SLUG.test(name);
