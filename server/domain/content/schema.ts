import { z } from 'zod';
import { CONTENT_LIMITS, HELP_AUDIENCES, LEGAL_PAGES, NAMED_PAGES } from '../../limits/content';
import { PAGE_LIMITS } from '../../limits/paging';

const slug = z.string().max(CONTENT_LIMITS.slugLength);
const search = z.string().max(PAGE_LIMITS.searchLength).optional();

export const listPostsInput = z.object({
  tag: slug.optional(),
  search,
});
export type ListPosts = z.infer<typeof listPostsInput>;

export const listHelpInput = z.object({ search, audience: z.enum(HELP_AUDIENCES).optional() });
export type ListHelp = z.infer<typeof listHelpInput>;

export const findTextInput = z.object({ slug });
export type FindText = z.infer<typeof findTextInput>;

export const namedPageInput = z.object({ name: z.enum(NAMED_PAGES) });
export type FindNamedPage = z.infer<typeof namedPageInput>;

export const legalTextInput = z.object({ name: z.enum(LEGAL_PAGES) });
export type FindLegalText = z.infer<typeof legalTextInput>;
