import { configurations } from '~/server/domain/reference/configurations';
import {
  categories,
  clientCountry,
  countries,
  countryOptions,
  languageOptions,
} from '~/server/domain/reference/queries';
import { timeZoneOptions } from '~/server/domain/reference/time-zones';
import { publicProcedure, router } from '../init';

export const referenceRouter = router({
  countries: publicProcedure.query(() => countries()),
  clientCountry: publicProcedure.query(({ ctx }) => clientCountry(ctx)),
  countryOptions: publicProcedure.query(({ ctx }) => countryOptions(ctx)),
  languages: publicProcedure.query(({ ctx }) => languageOptions(ctx)),
  timeZones: publicProcedure.query(({ ctx }) => timeZoneOptions(ctx)),
  categories: publicProcedure.query(() => categories()),
  configurations: publicProcedure.query(({ ctx }) => configurations(ctx)),
});
