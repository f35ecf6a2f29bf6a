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
  countries: publicProcedure.meta({ openTo: 'everyone' }).query(() => countries()),
  clientCountry: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => clientCountry(ctx)),
  countryOptions: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => countryOptions(ctx)),
  languages: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => languageOptions(ctx)),
  timeZones: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => timeZoneOptions(ctx)),
  categories: publicProcedure.meta({ openTo: 'everyone' }).query(() => categories()),
  configurations: publicProcedure.meta({ openTo: 'everyone' }).query(({ ctx }) => configurations(ctx)),
});
