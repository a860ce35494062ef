import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** An email as the mail server received it. */
export interface ReceivedMail {
  /** Sender address of the SMTP envelope. */
  from: string;
  to: string[];
  /** Lines of the message header, unfolded. */
  head: string[];
  raw: string;
  mail: Email;
}

/** An error reply that the mail server sends instead of accepting a message or recipient. */
export type MailReply = { status: number; text?: string };

export interface MailInbox {
  port: number;
  /** Accepted messages, in the order in which they were accepted. */
  mails: ReceivedMail[];
  /** Messages that the server received completely but rejected or didn't reply to. */
  unaccepted: ReceivedMail[];
  /** Returns the error reply for a recipient, or null to accept the recipient. */
  onRecipient: (address: string) => MailReply | null;
  /** Queues the replies to the next messages. `silence` receives a message without replying. */
  answerNext(...answers: (MailReply | 'silence' | 'accept')[]): void;
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

/** Starts a mail server on loopback that stores the messages it receives. */
export async function createMailInbox({
  port = 0,
  ...options
}: { port?: number } & SMTPServerOptions = {}): Promise<MailInbox> {
  const next: (MailReply | 'silence' | 'accept')[] = [];
  const inbox: MailInbox = {
    port: 0,
    mails: [],
    unaccepted: [],
    onRecipient: () => null,
    answerNext: (...answers) => void next.push(...answers),
    async waitFor(count, timeoutMs = 60_000) {
      for (const deadline = performance.now() + timeoutMs; inbox.mails.length < count; await sleep(10)) {
        if (performance.now() > deadline)
          throw new Error(`${inbox.mails.length} of ${count} emails came within ${timeoutMs} ms`);
      }
      return inbox.mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    ...options,
    onRcptTo(address, _session, callback) {
      const reply = inbox.onRecipient(address.address);
      callback(reply === null ? null : refusal(reply));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const envelope = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
        };
        void read(Buffer.concat(chunks), envelope).then((received) => {
          const answer = next.shift() ?? 'accept';
          if (answer === 'accept') {
            inbox.mails.push(received);
            callback(null, 'queued');
            return;
          }
          inbox.unaccepted.push(received);
          if (answer !== 'silence') callback(refusal(answer));
        });
      });
    },
  });
  // A killed client resets its connection, which must not fail the test.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  inbox.port = (server.server.address() as AddressInfo).port;
  return inbox;
}

function refusal({ status, text = 'refused' }: MailReply): Error {
  return Object.assign(new Error(text), { responseCode: status });
}

async function read(bytes: Buffer, envelope: { from: string; to: string[] }): Promise<ReceivedMail> {
  const raw = bytes.toString('utf8');
  const [head = ''] = raw.split('\r\n\r\n');
  return {
    ...envelope,
    head: head.replace(/\r\n[ \t]+/g, ' ').split('\r\n'),
    raw,
    mail: await PostalMime.parse(bytes),
  };
}
