import type { Context } from 'hono';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';

const en = {
  banner: 'Sandbox: this is not {provider}. It stands in while no client ID is set.',
  title: 'Log in with {provider}',
  lead: 'Who are you?',
  verified: '{email}, verified',
  unverified: '{email}, not verified',
  noEmail: 'shares no email address',
  other: 'Somebody else',
  name: 'Name',
  email: 'Email address',
  isVerified: 'The address is verified at {provider}',
  continue: 'Continue',
  deny: 'Cancel',
  badRequest: 'This link is not valid: the client or the redirect address is unknown.',
};
export type SandboxTexts = typeof en;

const es: SandboxTexts = {
  banner: 'Entorno de pruebas: esto no es {provider}. Lo sustituye mientras no haya un ID de cliente.',
  title: 'Iniciar sesión con {provider}',
  lead: '¿Quién eres?',
  verified: '{email}, verificado',
  unverified: '{email}, sin verificar',
  noEmail: 'no comparte su correo electrónico',
  other: 'Otra persona',
  name: 'Nombre',
  email: 'Correo electrónico',
  isVerified: '{provider} ha verificado este correo',
  continue: 'Continuar',
  deny: 'Cancelar',
  badRequest: 'Este enlace no es válido: no se conoce el cliente o la dirección de vuelta.',
};

export const TEXTS: Record<Language, SandboxTexts> = { en, es };

/** Google takes the language as `hl=es`, and Facebook as `locale=es_LA`. */
export function sandboxLanguage(c: Context): Language {
  const named = (c.req.query('hl') ?? c.req.query('locale') ?? '').slice(0, 2);
  return isLanguage(named) ? named : DEFAULT_LANGUAGE;
}
