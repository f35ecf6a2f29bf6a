import { expect, test } from 'vitest';
import { logIn, signUp, updateAccount } from '~/server/domain/accounts/base/schema';
import { fieldErrors } from '../../../support/field-errors';

const person = { name: 'Ana', email: 'ana@mail.example', password: '12345678', country: 'ES', terms: 'on' };

test.each([
  ['valid input', {}, {}],
  ['no name', { name: '  ' }, { name: 'account.name_required' }],
  ['no email', { email: '' }, { email: 'field.email_required' }],
  ['an invalid email', { email: 'ana@' }, { email: 'field.email_invalid' }],
  ['an email alias', { email: 'ana+podcast@mail.example' }, { email: 'account.email_local_part' }],
  ['an underscore in the email', { email: 'ana_b@mail.example' }, { email: 'account.email_local_part' }],
  ['a password of seven characters', { password: '1234567' }, { password: 'account.password_short' }],
  ['two passwords', { passwordConfirmation: '12345679' }, { passwordConfirmation: 'account.passwords_differ' }],
  ['no country', { country: undefined }, { country: 'account.country_required' }],
  ['an unknown country', { country: 'QQ' }, { country: 'field.invalid' }],
  ['no answer to the terms', { terms: undefined }, { terms: 'account.terms_required' }],
  ['rejected terms', { terms: 'false' }, { terms: 'account.terms_required' }],
])('signing up with %s', (_, change, errors) => {
  expect(fieldErrors(signUp, { ...person, ...change })).toEqual(errors);
});

test('emails are trimmed and converted to lower case', () => {
  expect(logIn.parse({ email: ' Ana@Mail.Example ', password: 'x' }).email).toBe('ana@mail.example');
});

test('a description that is too long is not searched for links, which would block the server for minutes', () => {
  const { error } = updateAccount.safeParse({ description: `https://example.com ${'x'.repeat(150_000)}` });

  expect(error?.issues.map(({ message }) => message)).toEqual(['field.too_long']);
});
