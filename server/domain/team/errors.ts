import { defineError } from '../../base/errors';

export const alreadyMember = defineError('team.already_member', 'invalid', { field: 'email' });
export const ownAddress = defineError('team.own_address', 'invalid', { field: 'email' });
export const teamFull = defineError('team.full', 'limit_reached');
export const tooManyInvitations = defineError('team.too_many_invitations', 'too_many');
export const invitationNotFound = defineError('team.invitation_not_found', 'not_found');
export const invitationExpired = defineError('team.invitation_expired', 'expired');
export const otherAddress = defineError('team.other_address', 'forbidden');
export const memberNotFound = defineError('team.member_not_found', 'not_found');
export const ownerStays = defineError('team.owner_stays', 'invalid');
