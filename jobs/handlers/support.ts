import { sweepMessages as sweep } from '~/server/domain/support/contacting';
import { sweepMessages } from '../catalog';
import { handle } from './handle';

export const supportHandlers = [handle(sweepMessages, (_, ctx) => sweep(ctx))];
