import { prepareListening as prepare } from '~/server/domain/listening/preparing';
import { prepareListening } from '../catalog';
import { handle } from './handle';

export const listeningHandlers = [handle(prepareListening, (_, ctx) => prepare(ctx))];
