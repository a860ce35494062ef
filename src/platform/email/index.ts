/** Sends emails through the operator's mail server, and through no other. */
export { createMailer, type Mail, type MailErrorCode, type Mailer, type MailResult } from './mailer.ts';
