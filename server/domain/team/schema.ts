import { z } from 'zod';
import { fields } from '../../base/fields';
import { TEAM_ROLES } from './kinds';

const role = z.enum(TEAM_ROLES, { error: 'field.invalid' });

export const invite = z.strictObject({ email: fields.email(), role });
export const findInvitation = z.strictObject({ id: fields.id() });
export const invitationLink = z.strictObject({ token: z.string().max(200, { error: 'field.invalid' }) });
export const changeRole = z.strictObject({ userId: fields.id(), role });
export const findMember = z.strictObject({ userId: fields.id() });
export const switchCreator = z.strictObject({ creatorId: fields.id() });
export const listActivity = z.strictObject({
  page: z.coerce.number().int().min(1).max(10_000).catch(1).default(1),
  userId: fields.id().optional().catch(undefined),
});

export type Invite = z.infer<typeof invite>;
export type InvitationLink = z.infer<typeof invitationLink>;
export type ChangeRole = z.infer<typeof changeRole>;
export type FindMember = z.infer<typeof findMember>;
export type ListActivity = z.infer<typeof listActivity>;
