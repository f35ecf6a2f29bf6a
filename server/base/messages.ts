import apiDocsEn from '~/locales/en/api-docs.json';
import contentEn from '~/locales/en/content.json';
import errorsEn from '~/locales/en/errors.json';
import mailEn from '~/locales/en/mail.json';
import newsletterEn from '~/locales/en/newsletter.json';
import ownEmailsEn from '~/locales/en/own-emails.json';
import apiDocsEs from '~/locales/es/api-docs.json';
import contentEs from '~/locales/es/content.json';
import errorsEs from '~/locales/es/errors.json';
import mailEs from '~/locales/es/mail.json';
import newsletterEs from '~/locales/es/newsletter.json';
import ownEmailsEs from '~/locales/es/own-emails.json';
import type { Language } from '~/locales/languages';
import { type Texts, translate as translateKey, type Values } from '~/locales/translate';

const TEXTS: Record<Language, Record<string, Texts>> = {
  en: {
    'api-docs': apiDocsEn,
    content: contentEn,
    errors: errorsEn,
    mail: mailEn,
    newsletter: newsletterEn,
    'own-emails': ownEmailsEn,
  },
  es: {
    'api-docs': apiDocsEs,
    content: contentEs,
    errors: errorsEs,
    mail: mailEs,
    newsletter: newsletterEs,
    'own-emails': ownEmailsEs,
  },
};

/** The text of a key such as `errors:episode.not_found`. */
export function translate(language: Language, key: string, params: Values = {}): string {
  const [namespace = '', name = ''] = key.split(':');
  return translateKey(language, TEXTS[language][namespace] ?? {}, name, params);
}
