// Runs one command of the CLI in the process that `serveCommands` listens in. It is plain JavaScript without imports of
// the program, because it starts for each command.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const [socketPath, ...args] = process.argv.slice(2);
const socket = connect(socketPath);
const send = (message) => socket.write(`${JSON.stringify(message)}\n`);
send({ args, cwd: process.cwd(), env: process.env });
// A reader such as `head` can close the pipe early.
process.stdout.on('error', () => undefined);
for await (const line of createInterface({ input: socket })) {
  const message = JSON.parse(line);
  if ('stdout' in message) process.stdout.write(message.stdout);
  if ('stderr' in message) process.stderr.write(message.stderr);
  if ('isReading' in message) send({ stdin: await text(process.stdin) });
  if ('code' in message) {
    process.exitCode = message.code;
    socket.end();
  }
}
