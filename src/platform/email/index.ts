/** Sends emails only through the operator's mail server. */
export { createMailer, type Mail, type MailErrorCode, type Mailer, type MailResult } from './mailer.ts';
