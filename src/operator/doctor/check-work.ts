import { type Check, duration, fail, listSome, ok, warn } from './check.ts';
import type { AgentSeen, ChannelSeen } from './doctor-queries.ts';

/** An agent that was silent for so long is offline. */
const offlineAfterSeconds = 60;
/** Loops look every five seconds. */
const lateSeconds = 60;
const stuckSeconds = 600;

export function judgeServers(count: number): Check {
  if (count === 0) return warn('servers', 'No server runs.', 'Start it: pacekeeper serve.');
  return ok('servers', count === 1 ? 'One server runs.' : `${count} servers run.`);
}

export function judgeAgents(agents: readonly AgentSeen[], servers: number): Check {
  const name = 'agents';
  const online = agents.filter(({ silentSeconds }) => silentSeconds <= offlineAfterSeconds);
  // The embedded ones come and go with their servers.
  const silent = agents.filter((agent) => !online.includes(agent) && agent.kind === 'remote');
  const last = agents[0];
  const lastHeard = last
    ? `the last heartbeat was ${duration(last.silentSeconds)} ago`
    : 'none has ever come';
  if (online.length === 0) {
    const message = `No agent is online (${lastHeard}), so that nothing is gathered or scraped.`;
    return servers === 0
      ? warn(name, message, 'Start the server, or an agent: pacekeeper agent.')
      : fail(name, message, 'Start one (pacekeeper agent), or set PACEKEEPER_EMBEDDED_AGENT to true.');
  }
  if (silent.length > 0) {
    const names = silent.map((agent) => `${agent.name} (${duration(agent.silentSeconds)})`);
    return warn(
      name,
      `${online.length} of ${online.length + silent.length} are online; silent: ${listSome(names)}.`,
      'Start them again, or delete those that are gone.',
    );
  }
  return ok(name, `${online.length} online; ${lastHeard}.`);
}

export function judgeQueues(queues: readonly { kind: string; ageSeconds: number }[], servers: number): Check {
  const name = 'queues';
  const late = queues.filter(({ ageSeconds }) => ageSeconds > lateSeconds);
  if (late.length === 0) return ok(name, 'No work waits longer than a minute.');
  const message = `Work waits: ${listSome(late.map(({ kind, ageSeconds }) => `${kind} for ${duration(ageSeconds)}`))}.`;
  if (servers === 0) return warn(name, message, 'It is done when a server runs.');
  const isStuck = late.some(({ ageSeconds }) => ageSeconds > stuckSeconds);
  return (isStuck ? fail : warn)(
    name,
    message,
    'Look for errors in the log of the server. If runs wait for agents, one with their credentials is missing; ' +
      'else the machine or the database is too small for the work.',
  );
}

export function judgeDeadLetters(letters: readonly { channel: string; count: number }[]): Check {
  const count = letters.reduce((sum, letter) => sum + letter.count, 0);
  if (count === 0) return ok('dead_letters', 'No message was given up in the last day.');
  return warn(
    'dead_letters',
    `${count} messages of the last day were given up: ${listSome(letters.map((each) => `${each.channel} (${each.count})`))}.`,
    'Mend the channel, then send them again with retry.',
  );
}

export function judgeChannels(channels: readonly ChannelSeen[]): Check {
  const failing = channels.filter(({ isActive, failures }) => isActive && failures > 0);
  const turnedOff = channels.filter(({ isActive }) => !isActive);
  if (failing.length === 0 && turnedOff.length === 0)
    return ok('channels', channels.length === 0 ? 'There are none.' : `All ${channels.length} work.`);
  const sentences = [
    failing.length > 0 &&
      `Failing: ${listSome(failing.map(({ name, failures }) => `${name} (${failures} times in a row)`))}.`,
    turnedOff.length > 0 &&
      `Turned off: ${listSome(turnedOff.map(({ name, inactiveReason }) => `${name} (${inactiveReason})`))}.`,
  ];
  return warn(
    'channels',
    sentences.filter((sentence) => sentence !== false).join(' '),
    'Look at their deliveries, send a test, and turn those on again that were turned off.',
  );
}
