import { defineError } from '../../../base/errors';

export const noOwnAccount = defineError('subscriber_move.no_account', 'conflict');
export const nothingToMove = defineError('subscriber_move.nothing', 'conflict');
export const alreadyMoving = defineError('subscriber_move.already_moving', 'conflict');
export const noCardToCopy = defineError('subscriber_move.no_card', 'conflict');
