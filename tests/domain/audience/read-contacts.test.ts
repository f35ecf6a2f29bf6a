import { expect, test } from 'vitest';
import { readAddress, readSince, readState, readTags } from '~/server/domain/audience/contact-cells';
import { guessListHost } from '~/server/domain/audience/contact-columns';
import { isLeftOut, type ReadLine } from '~/server/domain/audience/read-contacts';
import { readContactFile as read } from '../../support/contact-files';

const TODAY = '2026-11-27';

const short = (lines: ReadLine[]): string[] =>
  lines.map((line) =>
    isLeftOut(line)
      ? `${line.line} ${line.fault}`
      : [line.line, line.email, line.name, line.tags.join('+'), line.since, line.state].filter(Boolean).join(' '),
  );

test.each([
  [' Ana@Example.COM ', 'ana@example.com'],
  ['Ana Ruiz <ana@example.com>', 'ana@example.com'],
  ['mailto:ana@example.com', 'ana@example.com'],
  ["'+ana@example.com", '+ana@example.com'],
  ['', 'no_email'],
  ['ana', 'bad_email'],
  ['ana@example', 'bad_email'],
  ['ana@example.com, bea@example.com', 'bad_email'],
  ['ana@exa\u0000mple.com', 'bad_email'],
  ['ana@example.com\r\nBcc: x@example.com', 'bad_email'],
  [`${'a'.repeat(250)}@example.com`, 'bad_email'],
  ['=cmd()@example.com', 'bad_email'],
])('the address “%s” is %s', (cell, expected) => {
  expect(readAddress(cell)).toBe(expected);
});

test.each([
  ['2024-01-31T10:00:00.000Z', '2024-01-31'],
  ['2024-01-31 10:00:00', '2024-01-31'],
  ['2024-01-31 10:00:00.123456', '2024-01-31'],
  ['2024-01-31 10:00:00 UTC', '2024-01-31'],
  ['31/01/2024', '2024-01-31'],
  ['Jan 31, 2024', '2024-01-31'],
  ['2027-01-01', TODAY],
  ['', null],
  ['0000-00-00', null],
  ['0000-00-00 00:00:00', null],
  ['-', null],
  ['1970-01-01', 'bad_since'],
  ['2024-02-30', 'bad_since'],
  ['soon', 'bad_since'],
])('the date “%s” is %s', (cell, expected) => {
  expect(readSince(cell, 'dmy', TODAY)).toBe(expected);
});

test.each([
  ['VIP, Madrid', ['VIP', 'Madrid']],
  ['VIP;Madrid|vip', ['VIP', 'Madrid']],
  ['"VIP","Madrid"', ['VIP', 'Madrid']],
  ['["VIP","Madrid"]', ['VIP', 'Madrid']],
  [' , ', []],
  ['a\u0000b', ['a b']],
  [`${'x'.repeat(60)}`, ['x'.repeat(50)]],
  [`${'x'.repeat(49)}😀`, [`${'x'.repeat(49)}\ufffd`]],
  [Array.from({ length: 30 }, (_, i) => `t${i}`).join(','), Array.from({ length: 20 }, (_, i) => `t${i}`)],
])('the tags “%s” are %j', (cell, expected) => {
  expect(readTags(cell)).toEqual(expected);
});

test.each([
  ['active', false, null],
  ['Subscribed', false, null],
  ['', false, null],
  ['premium', false, null],
  ['true', false, null],
  ['false', false, 'unsubscribed'],
  ['true', true, 'unsubscribed'],
  ['FALSE', true, null],
  ['Unsubscribed', false, 'unsubscribed'],
  ['Cancelled', false, 'unsubscribed'],
  ['Dado de baja', false, 'unsubscribed'],
  ['Bounced', false, 'bounced'],
  ['undeliverable', false, 'bounced'],
  ['complained', false, 'complained'],
  ['unactivated', false, 'unconfirmed'],
  ['pending', false, 'unconfirmed'],
  ['Pending confirmation', false, 'unconfirmed'],
  ['Not subscribed', false, 'unsubscribed'],
  ['non-subscribed', false, 'unsubscribed'],
  ['Never subscribed', false, 'unsubscribed'],
  ['No suscrito', false, 'unsubscribed'],
  ['Unsubscribed by admin', false, 'unsubscribed'],
  ['Opted out', false, 'unsubscribed'],
  ['Suscrito', false, null],
  ['Hard bounce (550)', false, 'bounced'],
  ['soft bounce', false, 'bounced'],
  ['Bounced - hard', false, 'bounced'],
  ['Marked as spam', false, 'complained'],
  ['2024-01-31 10:00:00', true, 'unsubscribed'],
  ['✓', true, 'unsubscribed'],
  ['too many emails', true, 'unsubscribed'],
  ['Spam complaint', true, 'complained'],
  ['', true, null],
  ['-', true, null],
  ['never', true, null],
  ['0000-00-00 00:00:00', true, null],
])('the state “%s” (negative: %s) is %s', (cell, isNegative, expected) => {
  expect(readState(cell, isNegative)).toBe(expected);
});

test.each([
  [
    'substack',
    `email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at
ana@example.com,true,2026-12-01T00:00:00.000Z,yearly,false,2020-08-27T15:06:27.713Z,
bea@example.com,false,,other,true,2020-08-28T15:06:27.713Z,`,
    ['2 ana@example.com 2020-08-27', '3 bea@example.com unsubscribed'],
  ],
  [
    'mailchimp',
    `Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LEID,TAGS
ana@example.com,Ana,Ruiz,2,2019-01-01 10:00:00,,2019-01-02 10:00:00,,1,"""VIP"",""Madrid"""`,
    ['2 ana@example.com Ana Ruiz VIP+Madrid 2019-01-02'],
  ],
  [
    'mailchimp',
    `Email Address,First Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME,UNSUB_REASON
ana@example.com,Ana,1,2019-01-01 10:00:00,2019-01-01 10:00:00,2020-01-01 10:00:00,NORMAL`,
    ['2 ana@example.com unsubscribed'],
  ],
  [
    'mailchimp',
    `Email Address,First Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,CLEAN_TIME
ana@example.com,Ana,1,2019-01-01 10:00:00,2019-01-01 10:00:00,2020-01-01 10:00:00`,
    ['2 ana@example.com bounced'],
  ],
  [
    'kit',
    `first_name,email,created_at,status,tags
Ana,ana@example.com,2023-01-27 11:43:55 UTC,active,VIP
,bea@example.com,2023-01-27 11:43:55 UTC,bounced,
,cyd@example.com,2023-01-27 11:43:55 UTC,complained,`,
    ['2 ana@example.com Ana VIP 2023-01-27', '3 bea@example.com bounced', '4 cyd@example.com complained'],
  ],
  [
    'beehiiv',
    `email,status,created_at,utm_source,tags
ana@example.com,active,2023-01-27 11:43:55,twitter,
bea@example.com,inactive,2023-01-27 11:43:55,,
cyd@example.com,validating,2023-01-27 11:43:55,,`,
    ['2 ana@example.com 2023-01-27', '3 bea@example.com unsubscribed', '4 unconfirmed'],
  ],
  [
    'ghost',
    `id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers
1,ana@example.com,Ana Ruiz,"two
lines",true,false,,2022-04-06T07:42:08.000Z,,"VIP,Press",
2,bea@example.com,Bea,,false,false,,2022-04-06T07:42:08.000Z,,,`,
    ['2 ana@example.com Ana Ruiz VIP+Press 2022-04-06', '4 bea@example.com unsubscribed'],
  ],
  [
    'buttondown',
    `email,notes,tags,metadata,creation_date,type
ana@example.com,,VIP,{},2022-04-06,premium
bea@example.com,,,{},2022-04-06,undeliverable`,
    ['2 ana@example.com VIP 2022-04-06', '3 bea@example.com bounced'],
  ],
  [
    'patreon',
    `Name,Email,Discord,Patron Status,Follows You,Pledge Amount,Tier,Patronage Since Date,State
Ana Ruiz,ana@example.com,,Former patron,Yes,5.00,Gold,2021-03-01 10:00:00.123456,CA`,
    ['2 ana@example.com Ana Ruiz Gold 2021-03-01'],
  ],
  [
    'supercast',
    `email,first_name,last_name,state,plan_name,plan_price_cents,plan_price_currency,created_at
ana@example.com,Ana,Ruiz,deactivated,Gold,500,USD,2021-03-01T10:00:00Z`,
    ['2 ana@example.com Ana Ruiz Gold 2021-03-01'],
  ],
  [
    'other',
    'Correo electrónico;Nombre completo;Etiquetas;Fecha de alta;Estado\nana@example.com;Ana;VIP;31/01/2024;activo\n',
    ['2 ana@example.com Ana VIP 2024-01-31'],
  ],
])('a file of %s', async (host, text, expected) => {
  expect(guessListHost(text.split('\n')[0]!.split(/[,;]/))).toBe(host);
  expect(short(await read(text))).toEqual(expected);
});

test.each([
  ['UTF-8 with its mark', Buffer.from('\ufeffemail,name\nana@example.com,Íñigo\n')],
  ['UTF-16', Buffer.from('\ufeffemail\tname\nana@example.com\tÍñigo\n', 'utf16le')],
  ['UTF-16 with the high byte first', Buffer.from('\ufeffemail,name\nana@example.com,Íñigo\n', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('email;name\r\nana@example.com;Íñigo\r\n', 'latin1')],
])('a file in %s', async (_, bytes) => {
  expect(short(await read(bytes))).toEqual(['2 ana@example.com Íñigo']);
});

test.each([
  ['email,state,subscription_status', 'ana@example.com,Texas,unsubscribed'],
  ['email,status,unsubscribed', 'ana@example.com,customer,true'],
  ['email,Unsubscribed', 'ana@example.com,2024-01-31'],
  ['email,unsubscribed_at', 'ana@example.com,2024-01-31'],
  ['email,Fecha de baja,estado', 'ana@example.com,31/01/2024,Jalisco'],
  ['Email,Accepts Email Marketing', 'ana@example.com,no'],
])('a file with “%s” says who has left', async (names, row) => {
  expect(short(await read(`${names}\n${row}\n`))).toEqual(['2 ana@example.com unsubscribed']);
});

test('rows that bring no contact are listed with their line', async () => {
  const lines = await read(
    'email,name\nana@example.com,Ana\n,Bea\nnobody,Cyd\n\n"dan@example.com,Dan\neva@example.com,"Eva"\n',
  );

  expect(short(lines)).toEqual([
    '2 ana@example.com Ana',
    '3 no_email',
    '4 bad_email',
    '6 unreadable',
    '7 eva@example.com Eva',
  ]);
});
