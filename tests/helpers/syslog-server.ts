import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEndOfFile } from './end-of-file.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { authority, serverKey } from './tls-certificates.ts';

/** Path of rsyslog, or null if it isn't installed. The titles of skipped tests then state the reason. */
export const rsyslogPath = ['/usr/sbin/rsyslogd', '/usr/local/sbin/rsyslogd'].find(isExecutable) ?? null;
export const noRsyslogSuffix = rsyslogPath === null ? ' (skipped: rsyslog is not installed)' : '';

/** A message as rsyslog parsed it. */
export interface ReceivedMessage {
  pri: string;
  version: string;
  time: string;
  hostname: string;
  app: string;
  procid: string;
  msgid: string;
  sd: string;
  msg: string;
}

export interface SyslogServer {
  port: number;
  messages(): ReceivedMessage[];
  /** Stops the server. Nothing listens on the port afterward. */
  stop(): Promise<void>;
  /** Starts the server again on the same port. */
  start(): Promise<void>;
}

/**
 * Starts rsyslog on loopback.
 * @param certificate Server certificate for TLS, in PEM format. Omit it for plain TCP.
 */
export async function startRsyslog(certificate?: string): Promise<SyslogServer> {
  const folder = temporaryFolder();
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file('ca.pem'), authority);
  writeFileSync(file('key.pem'), serverKey);
  if (certificate !== undefined) writeFileSync(file('server.pem'), certificate);
  const properties = {
    pri: 'pri',
    version: 'protocol-version',
    hostname: 'hostname',
    app: 'app-name',
    procid: 'procid',
    msgid: 'msgid',
    sd: 'structured-data',
    msg: 'msg',
  };
  const configure = (port: number) => `
global(workDirectory="${folder}"${
    certificate === undefined
      ? ''
      : ` defaultNetstreamDriver="ossl" defaultNetstreamDriverCAFile="${file('ca.pem')}"
  defaultNetstreamDriverCertFile="${file('server.pem')}" defaultNetstreamDriverKeyFile="${file('key.pem')}"`
  })
module(load="imtcp"${certificate === undefined ? '' : ' streamDriver.name="ossl" streamDriver.mode="1" streamDriver.authMode="anon"'})
template(name="entry" type="list" option.jsonf="on") {
  property(outname="time" name="timereported" dateFormat="rfc3339" format="jsonf")
${Object.entries(properties)
  .map(([outname, name]) => `  property(outname="${outname}" name="${name}" format="jsonf")`)
  .join('\n')}
}
input(type="imtcp" address="127.0.0.1" port="${port}" listenPortFileName="${file('port')}")
action(type="omfile" file="${file('messages.jsonl')}" template="entry")
`;
  let child: ChildProcess | null = null;
  let port = 0;
  const stop = async () => {
    const stopping = child;
    child = null;
    if (!stopping || stopping.exitCode !== null) return;
    const ended = new Promise((resolve) => stopping.once('exit', resolve));
    stopping.kill('SIGTERM');
    await ended;
  };
  const start = async () => {
    writeFileSync(file('rsyslog.conf'), configure(port));
    const args = ['-n', '-f', file('rsyslog.conf'), '-i', file('pid')];
    child = spawn(rsyslogPath!, args, { stdio: 'ignore' });
    // On a restart, don't wait for the port file: rsyslog writes it only if it chose the port itself.
    while (port === 0) {
      await sleep(20);
      port = existsSync(file('port')) ? Number(readFileSync(file('port'), 'utf8')) : 0;
    }
    while (!(await isListening(port))) await sleep(20);
  };
  atEndOfFile(stop);
  await start();
  return {
    port,
    messages: () =>
      existsSync(file('messages.jsonl'))
        ? readFileSync(file('messages.jsonl'), 'utf8')
            .split('\n')
            // Drops the text after the last line break: it's empty, or it's a line that the server is still
            // writing.
            .slice(0, -1)
            .map((line) => JSON.parse(line) as ReceivedMessage)
        : [],
    stop,
    start,
  };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false)).once('connect', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
}
