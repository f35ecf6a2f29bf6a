import type { Edition, EditionRecipient } from '~/server/adapters/mail/bulk/message';

export const sampleEdition = (changes: Partial<Edition> = {}): Edition => ({
  from: { name: 'Lucía', address: 'lucia@mail.altavoz.example' },
  replyTo: { name: '', address: 'lucia@her.example' },
  returnPath: 'bounces@mail.altavoz.example',
  list: { name: 'Él y ella', id: 'el-y-ella.lists.altavoz.example' },
  feedbackId: 'edition-7:creator-3:newsletter:altavoz',
  date: new Date('2026-11-27T08:00:00Z'),
  subject: 'Un episodio nuevo',
  text: 'Hola {{name|amiga}}:\n\nHay un episodio nuevo.\n\n{{unsubscribe}}\n',
  html: '<p>Hola {{name|amiga}}:</p><p>Hay un episodio nuevo.</p><a href="{{unsubscribe}}">Darme de baja</a>',
  fields: ['name', 'unsubscribe'],
  ...changes,
});

export const sampleRecipient = (changes: Partial<EditionRecipient> = {}): EditionRecipient => ({
  id: '1',
  to: { name: 'Ana', address: 'ana@reader.example' },
  messageId: 'e7-c1@mail.altavoz.example',
  unsubscribe: {
    url: 'https://altavoz.example/unsubscribe/abc?from=7',
    mailto: 'mailto:unsubscribe+abc@mail.altavoz.example?subject=unsubscribe',
  },
  values: { name: 'Ana', unsubscribe: 'https://altavoz.example/unsubscribe/abc?from=7&to=8' },
  ...changes,
});
