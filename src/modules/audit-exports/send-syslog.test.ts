import { createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { atEndOfFile } from '../../../tests/helpers/end-of-file.ts';
import { noRsyslogSuffix, rsyslogPath, startRsyslog } from '../../../tests/helpers/syslog-server.ts';
import { authority, serverCertificates } from '../../../tests/helpers/tls-certificates.ts';
import { createEgressGuard, createOutboundClient } from '../../platform/outbound/index.ts';
import type { ExportedEntry } from '../audit/index.ts';
import { formatEntry, sendSyslog } from './send-syslog.ts';

const clientOf = (allowsPlainWebhooks: boolean) => {
  const client = createOutboundClient({
    guard: createEgressGuard({ allow: ['127.0.0.1/32'] }),
    allowHttp: (_host, _port, purpose) => purpose === 'webhook' && allowsPlainWebhooks,
    ca: authority,
    resolveName: (name) => Promise.resolve([name === 'private.test' ? '10.0.0.1' : '127.0.0.1']),
  });
  afterAll(() => client.close());
  return client;
};
const outbound = clientOf(true);
const strict = clientOf(false);

const source = { hostname: 'pacekeeper.example.com', software: 'Pacekeeper', version: '0.1.0' };
const entry: ExportedEntry = {
  id: 77,
  action: 'rule.updated',
  resource: 'rule',
  resource_id: 3,
  resource_name: 'Ninety days',
  actor: {
    type: 'user',
    id: 3,
    name: 'Dana',
  },
  detail: null,
  request_id: 'r-1',
  changes: [
    {
      field: 'name',
      from: 'Thirty days',
      to: 'Ninety days',
      is_secret: false,
    },
  ],
  created_at: '2026-11-21T05:10:00.000Z',
  updated_at: '2026-11-21T05:10:00.000Z',
};
const ids = { organizationId: 2, auditExportId: 3 };

const send = (
  port: number,
  { isTls = false, hostname = 'good.test', timeoutMs = 3_000, client = outbound } = {},
) => sendSyslog(client, { isTls, hostname, port }, { ...ids, entries: [entry, entry], source, timeoutMs });

/** Grammar of RFC 5424, with a message of ASCII characters. */
const grammar =
  /^<(?<pri>\d{1,3})>[1-9]\d? (?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z) (?<host>[!-~]{1,255}) (?<app>[!-~]{1,48}) (?<procid>[!-~]{1,128}) (?<msgid>[!-~]{1,32}) (?<sd>\[[!#-<>-\\^-~]{1,32}(?: [!#-<>-\\^-~]{1,32}="(?:[^"\\\]]|\\["\\\]])*")*\]) (?<msg>[ -~]*)$/;

describe('the message of an entry', () => {
  test.each<[string, Partial<ExportedEntry>]>([
    ['with ordinary values', {}],
    ['with line breaks in a name', { resource_name: 'a\r\n<110>1 - - - - - - forged' }],
    ['with control characters and NUL', { resource_name: '\u0000\u0007\u001b[2J\u007f\u0085' }],
    ['with quotation marks and brackets', { resource_name: '"] [x@1 y="z"]\\' }],
    ['with non-Latin text and emoji', { actor: { type: 'user', id: 3, name: 'Zoë 漢字 😀' } }],
    ['with a long action', { action: `notification_channel.${'a'.repeat(40)}` }],
  ])('follows the grammar of RFC 5424 and contains the entry: %s', (_, changes) => {
    const changed = { ...entry, ...changes };
    const message = formatEntry(source, ids, changed);
    const { pri, time, msg } = grammar.exec(message)!.groups!;
    expect([pri, time]).toEqual(['110', entry.created_at]);
    expect(JSON.parse(msg!)).toEqual({
      organization_id: 2,
      audit_export_id: 3,
      is_shortened: false,
      entry: changed,
    });
  });

  test('is sent without the changes of the entry if it would otherwise be too long for receivers', () => {
    const long = { ...entry, changes: [{ ...entry.changes[0]!, to: 'é'.repeat(2_000) }] };
    const message = formatEntry(source, ids, { ...long, resource_name: '😀'.repeat(200) });
    expect(message.length).toBeLessThanOrEqual(8_192);
    expect(JSON.parse(grammar.exec(message)!.groups!['msg']!)).toMatchObject({
      is_shortened: true,
      entry: { id: 77, resource_name: '😀'.repeat(200), changes: [] },
    });
  });
});

describe.skipIf(rsyslogPath === null)(`to rsyslog with TLS${noRsyslogSuffix}`, () => {
  test('entries arrive unchanged', async () => {
    const server = await startRsyslog(serverCertificates.nothing);
    expect(await send(server.port, { isTls: true })).toEqual({ retryAfter: null, error: null });
    await expect.poll(() => server.messages().length).toBe(2);
    const [message] = server.messages();
    expect(message).toMatchObject({
      pri: '110',
      version: '1',
      time: entry.created_at,
      hostname: 'pacekeeper.example.com',
      app: 'pacekeeper',
      procid: '-',
      msgid: 'rule.updated',
      sd: '[origin software="Pacekeeper" swVersion="0.1.0"]',
    });
    expect(JSON.parse(message!.msg)).toMatchObject({ organization_id: 2, entry });
  });

  test.each(['for a different host', 'expired', 'signed by an unknown authority'] as const)(
    'nothing is sent to a server with an invalid certificate (%s)',
    async (problem) => {
      const server = await startRsyslog(serverCertificates[problem]);
      expect((await send(server.port, { isTls: true })).error).toMatchObject({ code: 'tls_failed' });
      expect(server.messages()).toEqual([]);
    },
  );
});

describe('audit entries', () => {
  async function listen(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    atEndOfFile(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as { port: number }).port;
  }

  test.each<[string, string, (socket: Socket) => void]>([
    [
      'closes it immediately, as a forwarder without a receiver does',
      'connection_failed',
      (socket) => socket.end(),
    ],
    ['resets it', 'connection_failed', (socket) => socket.resetAndDestroy()],
    [
      'resets it after everything was sent',
      'connection_failed',
      (socket) => socket.resume().on('end', () => socket.resetAndDestroy()),
    ],
    ['never closes it', 'timeout', (socket) => socket.resume()],
  ])(
    "aren't considered received when the receiver accepts the connection and %s",
    async (_, code, onConnection) => {
      const port = await listen(onConnection);
      expect((await send(port, { timeoutMs: 1_500 })).error).toMatchObject({ code });
    },
  );

  test("aren't sent when the operator no longer allows unencrypted connections", async () => {
    let connections = 0;
    const port = await listen((socket) => {
      connections += 1;
      socket.resume().on('end', () => socket.end());
    });
    expect((await send(port)).error).toBeNull();
    expect((await send(port, { client: strict })).error).toEqual({
      code: 'target_not_allowed',
      message: `good.test:${port}: unencrypted connections aren't allowed; use TLS`,
    });
    expect(connections).toBe(1);
  });

  test("aren't considered received when the connection fails or the address is private", async () => {
    const port = await listen(() => {});
    expect((await send(port, { hostname: 'private.test' })).error).toMatchObject({
      code: 'target_not_allowed',
    });
    expect((await send(1)).error).toMatchObject({ code: 'connection_failed' });
  });
});
