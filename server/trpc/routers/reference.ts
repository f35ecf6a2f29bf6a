import { configurations } from '~/server/domain/reference/configurations';
import { categories, countries, countryOptions, languageOptions } from '~/server/domain/reference/queries';
import { publicProcedure, router } from '../init';

export const referenceRouter = router({
  countries: publicProcedure.query(() => countries()),
  countryOptions: publicProcedure.query(({ ctx }) => countryOptions(ctx)),
  languages: publicProcedure.query(({ ctx }) => languageOptions(ctx)),
  categories: publicProcedure.query(() => categories()),
  configurations: publicProcedure.query(({ ctx }) => configurations(ctx)),
});
