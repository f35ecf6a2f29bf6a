import type { Language } from '~/locales/languages';
import { translate } from '~/server/base/messages';
import { cleanEdition } from '~/server/edition/clean-edition';
import { type Edition, editionWords, UNSUBSCRIBE_FIELD } from '~/server/edition/model';
import { readBlocks } from '~/server/edition/read-blocks';

export const PICTURE = `/media/images/3/${'a'.repeat(64)}/1200.jpg`;

const CONTENT =
  '<p>Hola {{name|amiga}}:</p><h3>El mar</h3><p>Un <strong>texto</strong> con <a href="https://mar.dev/?a=1&amp;b=2">un enlace</a>.</p>' +
  '<ul><li><p>Uno</p></li><li>Dos<ol><li>Tres</li></ol></li></ul><blockquote><p>Una cita</p></blockquote>' +
  `<img src="${PICTURE}" alt="Olas" width="1200" height="600"><hr><div data-episode="7"></div>` +
  '<p data-button="custom"><a href="https://mar.dev/leer">Leer más</a></p><p data-button="share"></p>' +
  '<hr data-free-end><p>Solo para suscriptores</p>';

/** An edition of every kind of block. */
export async function sampleEdition(changes: Partial<Edition> & { content?: string } = {}): Promise<Edition> {
  const { content = CONTENT, language = 'es', ...others } = changes;
  return {
    language,
    title: 'Cartas & mareas',
    preheader: 'Lo que trae el agua',
    blocks: readBlocks(await cleanEdition(content)),
    publication: {
      name: 'Lucía <del Mar>',
      header: '',
      footer: 'Lucía del Mar\nCalle Mayor 1, 28001 Madrid',
      colours: { button: '#0B6665', buttonText: '#FFFFFF' },
    },
    links: {
      view: 'https://altavoz.test/n/7',
      unsubscribe: UNSUBSCRIBE_FIELD,
      share: 'https://altavoz.test/n/7#share',
      subscribe: 'https://altavoz.test/subscribe',
      donate: null,
      click: (href) => `https://altavoz.test/c?to=${encodeURIComponent(href)}`,
      picture: (src) => `https://altavoz.test${src}`,
    },
    episodes: new Map([
      [
        7,
        {
          title: 'El faro',
          show: 'Mareas',
          cover: 'https://altavoz.test/c.jpg',
          minutes: 32,
          href: 'https://altavoz.test/e/7',
        },
      ],
    ]),
    isTracked: false,
    words: editionWords((key) => translate(language === 'es' ? 'es' : ('en' satisfies Language), key)),
    ...others,
  };
}
