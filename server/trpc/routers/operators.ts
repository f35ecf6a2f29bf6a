import * as billing from '~/server/domain/billing/base/schema';
import { viewBooks } from '~/server/domain/billing/books/differences';
import { operatorProof } from '~/server/domain/operators/require-operator';
import { router, userProcedure } from '../init';

/** For operators only: for all other users, these procedures do not exist. */
export const operatorsRouter = router({
  proof: userProcedure.meta({ openTo: 'operators' }).query(({ ctx }) => operatorProof(ctx)),
  books: userProcedure
    .meta({ openTo: 'operators' })
    .input(billing.viewBooks)
    .query(({ ctx, input }) => viewBooks(ctx, input)),
});
