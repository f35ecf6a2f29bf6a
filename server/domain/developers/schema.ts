import { z } from 'zod';
import { fields } from '../../base/fields';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import { proof } from '../accounts/base/schema';
import { KEY_LIFE_NAMES, KEY_OVERLAP_NAMES, SCOPE_NAMES } from './kinds';

/** A form sends one text for one chosen scope, and a list for several. */
const scopes = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z
      .array(z.enum(SCOPE_NAMES, { error: 'key.scope_unknown' }), { error: 'key.scopes_required' })
      .min(1, { error: 'key.scopes_required' })
      .max(SCOPE_NAMES.length, { error: 'key.scope_unknown' }),
  )
  .transform((chosen) => SCOPE_NAMES.filter((scope) => chosen.includes(scope)));

export const createKey = z.strictObject({
  name: fields.line(DEVELOPER_LIMITS.nameLength, 'key.name_required'),
  scopes,
  life: fields.oneOf(KEY_LIFE_NAMES).default('forever'),
  ...proof,
});

export const findKey = z.strictObject({ id: fields.id() });
export const rotateKey = findKey.extend({ overlap: fields.oneOf(KEY_OVERLAP_NAMES).default('none'), ...proof });

export type CreateKey = z.infer<typeof createKey>;
export type FindKey = z.infer<typeof findKey>;
export type RotateKey = z.infer<typeof rotateKey>;
export const listCalls = z.strictObject({
  page: z.coerce.number().int().min(1).max(DEVELOPER_LIMITS.callsKept).catch(1).default(1),
  onlyFailures: fields.flag().optional(),
});
export type ListCalls = z.infer<typeof listCalls>;
