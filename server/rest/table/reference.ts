import { type Call, call, listOf } from '../call';
import { categoryOut, clientCountryOut, configurationsOut, countryOut, optionOut } from '../serializers/reference';

const options = listOf(optionOut);

export const referenceCalls: Call[] = [
  call('GET countries/', 'reference.countries', {
    access: 'none',
    summary: 'Countries in both languages, sorted by English name.',
    out: listOf(countryOut),
  }),
  call('GET country-list/', 'reference.countryOptions', {
    access: 'none',
    summary: "Countries in the request's language.",
    out: options,
  }),
  call('GET user-country/', 'reference.clientCountry', {
    access: 'none',
    summary: "The country of the client's IP address, null if unknown, and its currency.",
    out: clientCountryOut,
  }),
  call('GET languages/', 'reference.languages', {
    access: 'none',
    summary: 'Languages a product can have.',
    out: options,
  }),
  call('GET categories/', 'reference.categories', {
    access: 'optional',
    summary: "Apple's category tree.",
    out: listOf(categoryOut),
  }),
  call('GET configurations/', 'reference.configurations', {
    access: 'none',
    summary: 'Plans, price limits and features of this installation.',
    out: configurationsOut,
  }),
];
