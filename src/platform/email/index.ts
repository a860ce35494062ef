/** Sends emails only through the operator's mail server. */
export { AccessTokenError, type AccessTokenOptions, createAccessTokens } from './access-tokens.ts';
export { createMailer, type Mail, type MailErrorCode, type Mailer, type MailResult } from './mailer.ts';
