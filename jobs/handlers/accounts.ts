import { deleteExpired } from '~/server/domain/accounts/verifying';
import { sweepSessions } from '../catalog';
import { handle } from './handle';

export const accountHandlers = [handle(sweepSessions, (_, ctx) => deleteExpired(ctx))];
